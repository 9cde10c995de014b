"""The Recording dock: the layers of a recording."""

from attnviewer.ui.views.recording.panel import RecordingPanel

__all__ = ["RecordingPanel"]
