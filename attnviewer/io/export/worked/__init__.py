"""Worked texts: every step with its formula and its numbers."""

from attnviewer.io.export.worked.markdown import markdown
from attnviewer.io.export.worked.tex import latex

__all__ = ["latex", "markdown"]
