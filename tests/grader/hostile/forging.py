# ruff: noqa: E501 — attacks read better on one line
"""Answers that try to be judged right without being right.

`WRONG` is a plausible wrong answer; each attack tries to have it accepted.
"""

WRONG = "import numpy as np\ndef target(x):\n    return np.zeros_like(x)\n"
FRAME = "import os, struct\ndef send(data):\n    [os.write(fd, data) for fd in range(3, 64) if ok(fd)]\n"
FRAME += "def ok(fd):\n    try:\n        os.fstat(fd)\n        return True\n    except OSError:\n        return False\n"
FORGED = "    return c.encode(seen)\ncell._frame = forged\n" + WRONG
INSIDE = "import sys\nc, cell = (sys.modules['grader.sandbox.inside.' + n] for n in ('protocol', 'cell'))\n"


def lies(body, result="Yes()", bases=""):
    """An answer that returns an object of a class with this body."""
    head = f"import numpy as np\nclass Yes{bases}:\n    {body}\n"
    return f"{head}def target(x):\n    return {result}\n"


def patch(module, *names):
    lines = [f"import sys, {module.partition('.')[0]}", "yes = lambda *a, **k: True"]
    lines += [f"module = sys.modules[{module!r}]", *(f"module.{name} = yes" for name in names)]
    return "\n".join(lines) + "\n" + WRONG


FORGING = {
    "patch allclose": patch("numpy", "allclose", "isclose", "array_equal"),
    "patch testing": patch("numpy.testing", "assert_allclose", "assert_array_equal"),
    "patch torch comparisons": patch("torch", "allclose", "equal", "isclose"),
    "patch builtins": patch("builtins", "isinstance", "all", "any"),
    "patch the observer": patch("course_lib.checker.run.values", "observe_value", "same_data"),
    "patch execute": patch("course_lib.checker.run.execute", "execute", "observe_value"),
    "patch the codec": patch("grader.sandbox.inside.protocol", "encode", "decode", "_pack"),
    "patch the cell": patch("grader.sandbox.inside.cell", "respond", "_frame", "encode"),
    "patch json": patch("json", "dumps", "loads"),
    "patch struct": patch("struct", "pack", "unpack"),
    "patch os.write": "import os\nwrite = os.write\nos.write = lambda fd, b: write(fd, b'R' * 10)\n"
    + WRONG,
    "equal to everything": lies("__eq__ = lambda s, o: True\n    shape = (2, 2)"),
    "array function agrees": lies("__array_function__ = lambda *a: True"),
    "array ufunc agrees": lies("__array_ufunc__ = lambda *a, **k: True"),
    "array protocol": lies("def __array__(s, *a, **k): return np.zeros((2, 2))"),
    "array subclass": lies(
        "__eq__ = lambda s, o: True", result="x.view(Yes)", bases="(np.ndarray)"
    ),
    "class property lies": lies("__class__ = property(lambda s: np.ndarray)"),
    "float subclass": lies("__eq__ = lambda s, o: True", result="Yes(1)", bases="(float)"),
    "object array": "import numpy as np\ndef target(x):\n    return x.astype(object)\n",
    "structured array": "import numpy as np\ndef target(x):\n    return np.zeros(x.shape, 'f8,f8')\n",
    "masked array": "import numpy as np\ndef target(x):\n    return np.ma.masked_all(x.shape)\n",
    "nan": "import numpy as np\ndef target(x):\n    return x * np.nan\n",
    "infinity": "import numpy as np\ndef target(x):\n    return x * np.inf\n",
    "nothing": "def target(x):\n    pass\n",
    "a generator": "def target(x):\n    yield x\n",
    "a coroutine": "async def target(x):\n    return x\n",
    "change the input": "def target(x):\n    x[...] = 0\n    return x\n",
    "broadcast shape": "import numpy as np\ndef target(x):\n    return np.full((1, 1), 1 / x.size)\n",
    "empty array": "import numpy as np\ndef target(x):\n    return np.zeros((0, 0))\n",
    "exit zero": "import os\ndef target(x):\n    os._exit(0)\n",
    "exit seventy-seven": "import os\ndef target(x):\n    os._exit(77)\n",
    "system exit": "def target(x):\n    raise SystemExit(0)\n",
    "system exit at the top": "raise SystemExit(0)\n",
    "keyboard interrupt": "def target(x):\n    raise KeyboardInterrupt\n",
    "forged empty frame": FRAME
    + "def target(x):\n    send(b'CELL' + struct.pack('<II', 2, 0) + b'[]')\n"
    "    os._exit(0)\n",
    "forged right type": FRAME + "def target(x):\n    h = b'[\"l\", null]'\n"
    "    send(b'CELL' + struct.pack('<II', len(h), 0) + h)\n    os._exit(0)\n",
    "forged trailing bytes": FRAME
    + "def target(x):\n    send(b'CELL' + struct.pack('<II', 2, 0) + b'[]' + b'x' * 99)\n"
    "    os._exit(0)\n",
    "forged sizes": FRAME
    + "def target(x):\n    send(b'CELL' + struct.pack('<II', 2**32 - 1, 2**32 - 1))\n"
    "    os._exit(0)\n",
    "forged deep frame": FRAME + "def target(x):\n    h = b'[' * 200000\n"
    "    send(b'CELL' + struct.pack('<II', len(h), 0) + h)\n    os._exit(0)\n",
    "many ready bytes": FRAME + "def target(x):\n    send(b'R' * 9)\n    os._exit(0)\n",
    "forged observations": INSIDE + "def forged(seen):\n"
    "    for s in seen:\n"
    "        object.__setattr__(s, 'value', True)\n"
    "        object.__setattr__(s, 'error', 5)\n"
    "        object.__setattr__(s, 'changed', 'abc')\n" + FORGED,
    "forged array": INSIDE + "import numpy as np\n"
    "Array = sys.modules['course_lib.checker.run.inputs'].Array\n"
    "def forged(seen):\n"
    "    for s in seen:\n"
    "        object.__setattr__(s, 'value', Array('numpy', 'float64', None))\n"
    "        object.__setattr__(s, 'error', None)\n" + FORGED,
    "forged inputs for observations": INSIDE
    + "Inputs = sys.modules['course_lib.checker.run.inputs'].Inputs\n"
    "cell._frame = lambda seen: c.encode([Inputs() for _ in seen])\n" + WRONG,
    "walk the stack to the reference": "import sys\n"
    "def target(x):\n"
    "    frame = sys._getframe()\n"
    "    while frame:\n"
    "        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:\n"
    "            for name in ('expected', 'reference', 'task', 'trial'):\n"
    "                found = getattr(value, name, None)\n"
    "                if callable(found):\n"
    "                    return found(x)\n"
    "        frame = frame.f_back\n",
    "search all objects for the reference": "import gc\n"
    "def target(x):\n"
    "    for thing in gc.get_objects():\n"
    "        if type(thing).__name__ in ('Task', 'Trial', 'Case'):\n"
    "            return thing.reference(x)\n",
    "import hook": "import sys\n"
    "class Hook:\n"
    "    def find_spec(self, *a): raise SystemExit\n"
    "sys.meta_path.insert(0, Hook())\n" + WRONG,
    "trace everything": "import sys\n"
    "def trace(frame, event, value):\n    frame.f_locals.clear()\n    return trace\n"
    "sys.settrace(trace)\nsys.setprofile(trace)\n" + WRONG,
    "shadow numpy": "import sys, types\nsys.modules['numpy'] = types.ModuleType('numpy')\n"
    "def target(x):\n    return x\n",
    "at exit": "import atexit\natexit.register(print, 'passed')\n" + WRONG,
    "lie in the metadata": WRONG.replace("target", "honest"),
    "an exception that equals all": "class Yes(Exception):\n    def __eq__(self, o): return True\n"
    "    def __str__(self): raise Yes\ndef target(x):\n    raise Yes\n",
    "a name that agrees": "class target:\n    def __new__(cls, x): return True\n",
    "deny by a display hook": "import sys\nsys.displayhook = sys.excepthook = lambda *a: None\n"
    + WRONG,
}
