"""The recording that was opened last."""

from attnviewer.ui.state.recording.layer_origin import LayerOrigin, RecordingFile
from attnviewer.ui.state.recording.open_recording import OpenRecording

__all__ = ["LayerOrigin", "OpenRecording", "RecordingFile"]
