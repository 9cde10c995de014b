"""Texts as Markdown that shows them as they are."""

import re

from attnviewer.io.export.plain_text import unwrapped

# As entities where a backslash would begin a formula in some programs.
_ENTITIES = {sign: f"&#{ord(sign)};" for sign in "\\[]$|&"}
# A # within an entity is none of the text's own.
_SIGNS = re.compile(r"(?<!&)#|[*_`<>~!]|^[+=-]|(?<=^\d)[.)]")


def markdown_text(text: str) -> str:
    """Return a text as one line of Markdown, with nothing in it that Markdown reads."""
    line = "".join(_ENTITIES.get(c, c) for c in unwrapped(text))
    return _SIGNS.sub(r"\\\g<0>", line)
