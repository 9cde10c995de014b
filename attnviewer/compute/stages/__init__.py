"""The steps an attention computation is made of, one kind per file."""

from attnviewer.compute.stages.add_positions import AddPositions, Encode
from attnviewer.compute.stages.altered import altered
from attnviewer.compute.stages.append import Append
from attnviewer.compute.stages.base import NUMBERED, Axis, RowWise, Stage, Steps, Stored
from attnviewer.compute.stages.bias import AddBias
from attnviewer.compute.stages.cap import Cap
from attnviewer.compute.stages.column_sum import ColumnSum
from attnviewer.compute.stages.comparison import Comparison
from attnviewer.compute.stages.concatenate import Concatenate
from attnviewer.compute.stages.gate import Gate
from attnviewer.compute.stages.given import Given
from attnviewer.compute.stages.given_score import GivenScore
from attnviewer.compute.stages.mask import ApplyMask
from attnviewer.compute.stages.mix import Mix
from attnviewer.compute.stages.normalize import Normalize
from attnviewer.compute.stages.normalize_with_sinks import NormalizeWithSinks
from attnviewer.compute.stages.offsets import PerItem
from attnviewer.compute.stages.pinned import pinned
from attnviewer.compute.stages.point_wise import PointWise
from attnviewer.compute.stages.project import Project
from attnviewer.compute.stages.relative import AddRelative, RelativeScore
from attnviewer.compute.stages.rotate import Rotate
from attnviewer.compute.stages.rotate_along_axes import RotateAlongAxes
from attnviewer.compute.stages.row_norm import RowNorm
from attnviewer.compute.stages.scale import Scale
from attnviewer.compute.stages.scale_by_length import ScaleByLength
from attnviewer.compute.stages.score import Score
from attnviewer.compute.stages.split import Split
from attnviewer.compute.stages.unit import Unit, squares_fit

__all__ = [
    "NUMBERED",
    "AddBias",
    "AddPositions",
    "AddRelative",
    "Append",
    "ApplyMask",
    "Axis",
    "Cap",
    "ColumnSum",
    "Comparison",
    "Concatenate",
    "Encode",
    "Gate",
    "Given",
    "GivenScore",
    "Mix",
    "Normalize",
    "NormalizeWithSinks",
    "PerItem",
    "PointWise",
    "Project",
    "RelativeScore",
    "Rotate",
    "RotateAlongAxes",
    "RowNorm",
    "RowWise",
    "Scale",
    "ScaleByLength",
    "Score",
    "Split",
    "Stage",
    "Steps",
    "Stored",
    "Unit",
    "altered",
    "pinned",
    "squares_fit",
]
