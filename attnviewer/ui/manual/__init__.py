"""The manual in a window of its own."""

from attnviewer.ui.manual.window import ManualWindow as ManualWindow
