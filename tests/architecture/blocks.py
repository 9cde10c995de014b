"""The code blocks of the README and of the manual."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "resources" / "manual"
PAGES = [ROOT / "README.md", *sorted(MANUAL.glob("*.md"))]
_BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"`(attnviewer/[\w/]+\.py)`")


class Block(NamedTuple):
    """A block, the section that it is in, and the file that it is about."""

    info: str
    text: str
    section: str
    file: str | None


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page.

    In a section with recipes, a block is about the file that was named last.
    """
    text = page.read_text(encoding="utf-8")
    for section in _sections(text):
        title, file, place = section.partition("\n")[0], None, 0
        for found in _BLOCK.finditer(section):
            named = _FILE.findall(section[place : found.start()])
            file = named[-1] if named else file
            place = found.end()
            yield Block(found[1], found[2], title, file)


def _sections(text: str) -> Iterator[str]:
    """Yield the sections, each from its title on; a block may hold what looks alike."""
    outside = _BLOCK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    starts = [found.end() for found in re.finditer(r"^## ", outside, re.MULTILINE)]
    for start, end in zip([0, *starts], [*starts, None], strict=True):
        yield text[start:end].removesuffix("## ")
