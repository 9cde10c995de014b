"""Signs that a machine's fonts may lack come with the application."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QRawFont

import attnviewer
from attnviewer.paths import resource

PACKAGE = Path(attnviewer.__file__).parent
SIGNS = {"Sm", "So", "No", "Lm"}
"""Categories of Unicode: signs of mathematics and others, raised and lowered ones."""
READ_NOT_WRITTEN = set("＋－＝＠｜") | {chr(0x1F3FB), chr(0x1F3FF)}
"""Signs that only files of others hold, and modifiers of pictures."""
BEYOND_LATIN_1 = re.compile(r"[^\x00-\xff]|\\[uUN0-7]")
"""A sign as it stands or is escaped: no other source is worth reading."""


def written_signs() -> Iterator[str]:
    """Return the signs beyond Latin 1 in the texts of the source."""
    sources = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    for source in filter(BEYOND_LATIN_1.search, sources):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from (
                    char
                    for char in node.value
                    if ord(char) > 0xFF and unicodedata.category(char) in SIGNS
                )


@pytest.mark.usefixtures("qapp")
def test_every_sign_the_application_writes_is_in_the_font_it_brings():
    font = QRawFont(str(resource("fonts", "symbols.ttf")), 16)
    flags = {chr(k) for k in range(0x1F1E6, 0x1F200)}
    signs = set(written_signs()) - READ_NOT_WRITTEN - flags
    assert len(signs) > 30
    assert [
        char for char in sorted(signs) if not font.supportsCharacter(ord(char))
    ] == []
