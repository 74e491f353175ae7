"""What runs inside the sandbox: the whole of this folder is copied there, and nothing else of ours.

It imports only Python, NumPy and torch. The trusted side takes from it the data types (`inputs`),
the frame (`protocol`) and how a notebook's text is read (`program`); a notebook that checks itself
also runs `answers`. The rest, `cell`, `lockdown`, `preload` and `worker`, nobody outside imports.
"""
