"""Recordings of modules of PyTorch, which is never imported."""

from attnviewer.recording.recorded_run import RecordedRun as RecordedRun
from attnviewer.recording.recorded_run import load_recording as load_recording
from attnviewer.recording.recorder import Recording as Recording
from attnviewer.recording.recorder import record as record
