"""What runs in the sandbox around an answer: the whole of this folder is copied there.

It imports Python, NumPy, torch and `course_lib.checker.run`, which is copied beside it and runs the
answer: `respond(request)` is the seam to it. Outside, the grader takes the frame
(`protocol`) and the one-byte words (`orders`) from here; nobody imports the other files.
"""
