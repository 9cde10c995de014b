"""The steps an attention computation is made of, one kind per file."""

from attnviewer.compute.stages.base import Axis, Stage
from attnviewer.compute.stages.concatenate import Concatenate
from attnviewer.compute.stages.given import Given
from attnviewer.compute.stages.mask import ApplyMask
from attnviewer.compute.stages.mix import Mix
from attnviewer.compute.stages.normalize import Normalize
from attnviewer.compute.stages.project import Project
from attnviewer.compute.stages.scale import Scale
from attnviewer.compute.stages.score import Score

__all__ = [
    "ApplyMask",
    "Axis",
    "Concatenate",
    "Given",
    "Mix",
    "Normalize",
    "Project",
    "Scale",
    "Score",
    "Stage",
]
