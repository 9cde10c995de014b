"""The manual's page files."""

import re
from pathlib import Path
from typing import NamedTuple

from attnviewer.paths import resource

INDEX = "index.md"
"""The index page, which links to the others in order."""
_LINK = re.compile(r"\]\(([\w-]+\.md)\)")
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_NO_SLUG = re.compile(r"[^\w\- ]")


class Page(NamedTuple):
    """A file of Markdown, its title, and the headings below it."""

    path: Path
    title: str
    headings: tuple[str, ...]


def manual_pages() -> list[Page]:
    """Return the pages in the order in which the index links to them."""
    index = resource("manual", INDEX)
    names = dict.fromkeys(_LINK.findall(index.read_text(encoding="utf-8")))
    return [_page(index.with_name(name)) for name in names]


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub forms it."""
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def _page(path: Path) -> Page:
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    (title,) = re.findall(r"^# (.+)$", text, re.MULTILINE)
    return Page(path, title, tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)))
