"""The Lines dock: the lines of the chosen head, whatever the middle shows."""

from attnviewer.ui.lines_beside.panel import LinesBeside

__all__ = ["LinesBeside"]
