"""The Lines dock: the lines of the chosen head, whatever the centre shows."""

from attnviewer.ui.views.head_lines.panel import LinesBeside

__all__ = ["LinesBeside"]
