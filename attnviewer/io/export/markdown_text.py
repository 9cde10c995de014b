"""Texts escaped for Markdown."""

import re

from attnviewer.io.export.plain_text import unwrapped

# Entities, as a backslash would begin a formula in some programs.
_ENTITIES = {sign: f"&#{ord(sign)};" for sign in "\\[]$|&"}
# The # of an entity is not to be escaped.
_SIGNS = re.compile(r"(?<!&)#|[*_`<>~!]|^[+=-]|(?<=^\d)[.)]")


def markdown_text(text: str) -> str:
    """Return a text as one line of Markdown, with all markup escaped."""
    line = "".join(_ENTITIES.get(c, c) for c in unwrapped(text))
    return _SIGNS.sub(r"\\\g<0>", line)
