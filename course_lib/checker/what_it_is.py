"""What came in a notebook's place, in words that say what to do; and a notebook's outputs left out
before it is read, for they may be larger than everything else in it."""

import re

MOST_PARTS = 3_000_000  # texts and brackets that are looked at
PART = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)|[\[{]|[\]}]', re.S)
KEY = re.compile(rb"\s*:\s*\[")
IN_A_CELL = 3  # brackets that are open there: the notebook, its list of cells, the cell
CONFLICT = re.compile(rb"^(<{7}|={7}|>{7}|\|{7})(?: |\r?$)", re.M)
WEB_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|\?xml|head|body)", re.I)
AGAIN = "hand in the file that ends with .ipynb."
STARTS = {  # how files of other kinds begin
    b"PK\x03\x04": "It is a zip archive or an Office document",
    b"%PDF": "It is a PDF",
    b"\x1f\x8b": "It is a packed archive",
    b"Rar!": "It is a packed archive",
    b"7z\xbc\xaf": "It is a packed archive",
    b"\x89PNG": "It is a picture",
    b"\xff\xd8\xff": "It is a picture",
    b"\xd0\xcf\x11\xe0": "It is an old Office document",
    b"bplist": "It is only the place of a file that is still in a cloud",
    b"{\\rtf": "It is a text of a word processor",
    b"version https://git-lfs": "It is only a pointer of Git LFS, and the notebook is not in it",
    b"/annex/objects": "It is only a pointer of git-annex, and the notebook is not in it",
}
UTF16 = (b"\xff\xfe", b"\xfe\xff")
PYTHON = re.compile(rb"^(?:import |from \w+ import |def |class |#!)", re.M)


def instead_of_text(data: bytes) -> str:
    """The sentence for bytes that are no UTF-8; "" where nothing is known of them."""
    if data.startswith(UTF16):
        return "It is not UTF-8 text but UTF-16: open it in Jupyter and save it again."
    return _other_kind(data)


def instead_of_json(data: bytes) -> str:
    """The sentence for text that is no JSON; "" where nothing is known of it."""
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        return "It is empty: save the notebook in Jupyter, look into it, and hand it in again."
    if conflict := CONFLICT.search(data):
        line = data.count(b"\n", 0, conflict.start()) + 1
        return (
            f"Line {line} holds a merge conflict ({conflict[1].decode()}), so it is not valid "
            "JSON: decide in Git which version stays, then open it in Jupyter."
        )
    if WEB_PAGE.match(data):
        return f"It is a web page, as one that asks to sign in: download the notebook, and {AGAIN}"
    if other := _other_kind(data):
        return other
    if data.lstrip()[:1] != b"{" and PYTHON.search(data):
        return f"It is a Python program, not a notebook: {AGAIN}"
    if data.lstrip()[:1] == b"{" and data.count(b"{") > data.count(b"}"):
        return (
            "It is not valid JSON: it ends in the middle, as after a broken upload. Open it in "
            "Jupyter, and hand it in again."
        )
    return ""


def _other_kind(data: bytes) -> str:
    for start, words in STARTS.items():
        if data.startswith(start):
            return f"{words}: {AGAIN}"
    return ""


def without_outputs(data: bytes) -> bytes:
    """The bytes of a notebook with an empty list for each cell's outputs. One step for each text
    and bracket, of which there are `MOST_PARTS` at most; what is no JSON comes back as it is, or
    shorter."""
    kept: list[bytes] = []
    depth = at = 0
    begun = None  # where the list of outputs that is being left out begins
    for number, part in enumerate(PART.finditer(data)):
        if number > MOST_PARTS:
            return data
        sign = part[0]
        if sign in (b"[", b"{"):
            depth += 1
        elif sign in (b"]", b"}"):
            depth -= 1
            if begun is not None and depth == IN_A_CELL:
                kept.append(data[at:begun])
                at, begun = part.start(), None
        elif begun is None and depth == IN_A_CELL and sign == b'"outputs"':
            key = KEY.match(data, part.end())
            begun = key.end() if key else None
    return b"".join([*kept, data[at:]])
