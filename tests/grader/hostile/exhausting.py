# ruff: noqa: E501 — attacks read better on one line
"""Answers that try to use up the machine, or to bring down the interpreter that runs them."""

RESOURCES = {
    "endless loop": "def target(x):\n    while True: pass\n",
    "endless loop at the top": "while True: pass\n",
    "a loop that catches everything": "import signal\n"
    "for s in range(1, 32):\n"
    "    try: signal.signal(s, signal.SIG_IGN)\n"
    "    except Exception: pass\n"
    "def target(x):\n"
    "    while True:\n"
    "        try:\n"
    "            while True: pass\n"
    "        except BaseException: pass\n",
    "sleep": "import time\ndef target(x):\n    time.sleep(1e6)\n",
    "catastrophic pattern": "import re\ndef target(x):\n    re.match('(a+)+$', 'a' * 60 + 'b')\n",
    "a big power": "def target(x):\n    return 9 ** 9 ** 9\n",
    "fill memory with bytes": "def target(x):\n    a = []\n    while True: a.append(bytearray(10**7))\n",
    "claim memory little by little": "import numpy as np\ndef target(x):\n    a = []\n"
    "    while True: a.append(np.empty(10**6))\n",
    "fill memory with objects": "def target(x):\n    a = []\n    while True: a.append([a])\n",
    "fill memory in one go": "import numpy as np\ndef target(x):\n    return np.ones(10**11)\n",
    "fill memory with tensors": "import torch\ndef target(x):\n    return torch.ones(10**11)\n",
    "shared mappings": "import mmap\ndef target(x):\n    a = []\n"
    "    while True:\n        m = mmap.mmap(-1, 10**8)\n        m[::4096] = m[::4096]\n        a.append(m)\n",
    "hold on to memory": "kept = []\ndef target(x):\n    try:\n"
    "        while True: kept.append(bytearray(10**6))\n    except MemoryError: return x\n",
    "a view of a huge array": "import numpy as np\ndef target(x):\n"
    "    return np.broadcast_to(x[0, 0], (10**6, 10**6))\n",
    "a huge result": "import numpy as np\ndef target(x):\n    return np.zeros((3000, 3000))\n",
    "a long list": "def target(x):\n    return list(range(10**6))\n",
    "a deep list": "def target(x):\n    a = []\n    for _ in range(10**5): a = [a]\n    return a\n",
    "a list in itself": "def target(x):\n    a = []\n    a.append(a)\n    return a\n",
    "a long integer": "def target(x):\n    return 10**20000\n",
    "a long text": "def target(x):\n    return 'x' * 10**8\n",
    "a long message": "def target(x):\n    raise ValueError('x' * 10**7)\n",
    "a message with controls": "def target(x):\n    raise ValueError('\\x00\\x1b[2J<script>alert(1)</script>')\n",
    "a message that does not encode": "def target(x):\n    raise ValueError('\\ud800')\n",
    "an open bracket before many lines": "_ = '''(\n"
    + "x\n" * 50_000
    + "'''\ndef target(x):\n    return x\n",
    "commands of IPython's without end": "!ls 'a\n" * 600 + "def target(x):\n    return x\n",
    "prompts of many kinds": ">>> ... In [1]: \n" * 5_000
    + ">>> def target(x):\n...     return x\n",
    "a name before a question mark": "a." * 50_000 + "?\ndef target(x):\n    return x\n",
    "print without end": "def target(x):\n    while True: print('x' * 1000)\n",
    "write without end": "import os\ndef target(x):\n"
    "    while True:\n        for fd in range(3, 64):\n            try: os.write(fd, b'x' * 65536)\n"
    "            except OSError: pass\n",
    "open without end": "def target(x):\n    a = []\n    while True: a.append(open('/dev/null'))\n",
    "threads without end": "import threading\ndef target(x):\n    while True: threading.Thread(target=print).start()\n",
    "processes without end": "import os\ndef target(x):\n    while True: os.fork()\n",
    "recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef target(x):\n    return target(x)\n",
    "recursion in C": "import sys, functools\nsys.setrecursionlimit(10**9)\n"
    "def target(x):\n    f = str\n    for _ in range(10**6): f = functools.partial(f)\n    return f()\n",
    "a loop in a destructor": "class D:\n    def __del__(self):\n        while True: pass\n"
    "def target(x):\n    D()\n",
    "a loop in a message": "class E(Exception):\n    def __str__(self):\n        while True: pass\n"
    "def target(x):\n    raise E\n",
}

ENGINE = {
    "segmentation fault": "import ctypes\ndef target(x):\n    ctypes.string_at(0)\n",
    "segmentation fault at the top": "import ctypes\nctypes.string_at(0)\n",
    "abort": "import os\ndef target(x):\n    os.abort()\n",
    "illegal code object": "def f(): pass\nf.__code__ = f.__code__.replace(co_code=b'\\xff' * 64)\n"
    "def target(x):\n    return f()\n",
    "kill itself": "import os\ndef target(x):\n    os.kill(os.getpid(), 9)\n",
    "close everything": "import os\ndef target(x):\n    for fd in range(3, 64):\n"
    "        try: os.close(fd)\n        except OSError: pass\n    return x\n",
    "close everything and sleep": "import os, time\ndef target(x):\n    for fd in range(3, 64):\n"
    "        try: os.close(fd)\n        except OSError: pass\n    time.sleep(1e6)\n",
    "close everything and loop": "import os\ndef target(x):\n    for fd in range(3, 64):\n"
    "        try: os.close(fd)\n        except OSError: pass\n    while True: pass\n",
    "syntax error": "def target(x:\n",
    "null byte": "def target(x):\n    return x\0\n",
    "lone surrogate": "def target(x):\n    return '\ud800'\n",
    "many brackets": "x = " + "(" * 10000 + ")" * 10000,
    "many operators": "x = " + "-" * 100000 + "1",
    "many additions": "x = " + "1+" * 90000 + "1",
    "a long chain": "x = a" + ".a" * 90000,
    "an f-string bomb": "x = f'" + "{" * 1000 + "}" * 1000 + "'",
    "delete the builtins": "import builtins\nfor n in list(vars(builtins)): delattr(builtins, n)\n",
    "delete the modules": "import sys\nsys.modules.clear()\ndef target(x):\n    return x\n",
    "a hostile type name": "T = type('<b>\\x00' * 999, (), {})\ndef target(x):\n    return T()\n",
    "a hostile module": "import sys\ndef target(x):\n    sys.modules['torch'] = None\n    return x * 0\n",
    "default dtype": "import torch\ntorch.set_default_dtype(torch.float16)\ndef target(x):\n    return x * 0\n",
    "flush to zero": "import numpy as np\nnp.seterr(all='raise')\ndef target(x):\n    return x / 0\n",
}
