"""The XML parts of a workbook, and their relations.

Names are compared without namespaces, of which there are two sets: ECMA-376
(transitional) and ISO/IEC 29500 (strict).
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

from attnviewer.io.archive import read_archive
from attnviewer.io.errors import FileFormatError
from attnviewer.io.strict_json import shortened

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

BOOK = "xl/workbook.xml"
MOST_ELEMENTS = 2**23
"""Maximum number of elements and attributes: each takes far more than its text."""
MOST_BESIDE, OF_ELEMENT = 2**24, 64
"""How many bytes of a part may be blanks and text beside so many of each element."""
_PIECE = 2**20
"""Bytes parsed at a time: an unfinished tag is read again with each piece."""
MOST_TEXT = 2**26
"""Maximum size of the shared strings, in bytes."""
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
"""The built-in formats of dates and times; those up to 36 and from 50 in East Asia."""
_NO_DATE = re.compile(r'"[^"]*"|\\.|_.|\[(?!h|m|s)[^\]]*\]|General', re.IGNORECASE)


class Parts:
    """The parts of a workbook.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum total size of the parts, in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not such an archive.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._parts = read_archive(path, limit, compressed=True)
        self._elements = 0

    def elements(self, name: str, *tags: str) -> Iterator["Element"]:
        """Yield the elements of some names in a part, and clear each one after use.

        Raises
        ------
        FileFormatError
            If there is no such part, or it is not plain XML.
        """
        if name not in self._parts:
            raise FileFormatError(
                self._path, "A part of the workbook is missing.", name
            )
        content = self._parts[name]
        # Entities can expand to far more than the part; workbooks have none.
        if content.count(b"<!") > content.count(b"<!--") or b"\0" in content[:4]:
            raise FileFormatError(
                self._path, "The part has declarations, which are not read.", name
            )
        count = content.count(b"<") - content.count(b"</") + content.count(b"=")
        self._elements += count
        if self._elements > MOST_ELEMENTS:
            raise FileFormatError(
                self._path,
                f"A workbook may have {MOST_ELEMENTS:,} elements and attributes, some "
                "three for each number. Save larger matrices as .npz or .csv.",
                name,
            )
        if len(content) > MOST_BESIDE + OF_ELEMENT * count:
            raise FileFormatError(
                self._path,
                f"The part has {len(content):,} bytes for {count:,} elements and "
                "attributes: nearly all of it is blanks or text, not numbers.",
                name,
            )
        try:
            for element in _parsed(content):
                if local(element) in tags:
                    yield element
                    element.clear()
        except (ET.ParseError, ValueError, LookupError) as error:
            reason = shortened(str(error))
            raise FileFormatError(
                self._path, f"The part is damaged: {reason}.", name
            ) from error

    def sheets(self) -> list[tuple[str, str]]:
        """Return the names of the sheets in order, each with its part."""
        folder = PurePosixPath(BOOK).parent
        targets = {}
        for element in self.elements("xl/_rels/workbook.xml.rels", "Relationship"):
            if element.get("Type", "").endswith("/worksheet"):
                target = element.get("Target", "")
                part = target[1:] if target[:1] == "/" else str(folder / target)
                targets[element.get("Id")] = part
        found = []
        for element in self.elements(BOOK, "sheet"):
            related = {key.rpartition("}")[2]: value for key, value in element.items()}
            if related.get("id") in targets:
                # Read once: many sheets of one part would take endless time.
                part = targets.pop(related["id"])
                found.append((related.get("name", ""), part))
        return found

    def texts(self) -> list[str]:
        """Return the shared strings."""
        name = "xl/sharedStrings.xml"
        if name not in self._parts:
            return []
        if len(self._parts[name]) > MOST_TEXT:
            reason = f"The texts of a workbook may have {MOST_TEXT:,} bytes."
            raise FileFormatError(self._path, reason, name)
        return [text_of(element) for element in self.elements(name, "si")]

    def date_styles(self) -> set[str]:
        """Return the styles of cells whose numbers are dates or times."""
        name = "xl/styles.xml"
        if name not in self._parts:
            return set()
        dates = set(map(str, _DATES))
        styles: set[str] = set()
        for element in self.elements(name, "numFmt", "cellXfs"):
            if local(element) == "numFmt":
                code = _NO_DATE.sub("", element.get("formatCode", ""))
                if re.search("[dmyhs]", code, re.IGNORECASE):
                    dates.add(element.get("numFmtId", ""))
                continue
            for index, style in enumerate(element):
                if style.get("numFmtId") in dates:
                    styles.add(str(index))
        return styles


def _parsed(content: bytes) -> Iterator["Element"]:
    """Yield the elements of a part as they end."""
    parser: ET.XMLPullParser[Any] = ET.XMLPullParser(("end",))
    for start in range(0, len(content), _PIECE):
        parser.feed(content[start : start + _PIECE])
        yield from _ended(parser)
    parser.close()
    yield from _ended(parser)


def _ended(parser: "ET.XMLPullParser[Any]") -> Iterator["Element"]:
    # Asked for ends alone, it has no other kind of event.
    events = cast("Iterator[tuple[str, Element]]", parser.read_events())
    return (element for _, element in events)


def local(element: "Element") -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def text_of(element: "Element") -> str:
    """Return the text of a cell or of a shared string, without phonetic guides."""
    parts = []
    for child in element:
        if local(child) == "t":
            parts.append(child.text or "")
        elif local(child) == "r":
            parts.append(text_of(child))
    return "".join(parts)
