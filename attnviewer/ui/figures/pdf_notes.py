"""Document information of a PDF."""

import re

from attnviewer.ui.figures.notes import Notes
from attnviewer.version import __version__


def with_notes(pdf: bytes, notes: Notes) -> bytes:
    """Return Qt's PDF with its notes in its document information.

    They are appended as an incremental update, which changes none of the bytes before.

    Parameters
    ----------
    pdf : bytes
        As `QPdfWriter` writes it.
    notes : Notes
        The notes.
    """
    trailer = pdf[pdf.rindex(b"trailer") :]
    size = int(_found(rb"/Size\s+(\d+)", trailer))
    root = _found(rb"/Root\s+(\d+ \d+ R)", trailer)
    identity = _found(rb"/ID\s*(\[.*?\])", trailer)
    previous_xref = _found(rb"startxref\s+(\d+)", trailer)
    entries = {
        "Title": notes.title,
        "Subject": notes.line,
        "Keywords": ", ".join(f"{name}: {text}" for name, text in notes.facts.items()),
        "Creator": f"attnviewer {__version__}",
    }
    lines = [f"/{name} {_string(text)}".encode() for name, text in entries.items()]
    start = len(pdf) + 1
    table = b"\n%d 0 obj\n<<\n%s\n>>\nendobj\n" % (size, b"\n".join(lines))
    return b"".join(
        [
            pdf,
            table,
            b"xref\n%d 1\n%010d 00000 n \n" % (size, start),
            b"trailer\n<<\n/Size %d\n/Root %s\n" % (size + 1, root),
            b"/Info %d 0 R\n/Prev %s\n/ID %s\n>>\n" % (size, previous_xref, identity),
            b"startxref\n%d\n%%%%EOF\n" % (len(pdf) + len(table)),
        ]
    )


def _found(pattern: bytes, trailer: bytes) -> bytes:
    match = re.search(pattern, trailer, re.DOTALL)
    assert match is not None, "Qt writes such a trailer"
    return match[1]


def _string(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
