"""What a layer of PyTorch computes, recorded by hooks; PyTorch is never imported."""

from attnviewer.doctor.recording.recorder import Recording as Recording
from attnviewer.doctor.recording.recorder import record as record
