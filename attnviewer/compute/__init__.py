"""Attention as a list of stages, with NumPy: no files, no windows."""

from attnviewer.compute.arguments import real_array
from attnviewer.compute.arrays import Array, BoolArray, Index, IndexArray, Shape
from attnviewer.compute.attention import attention
from attnviewer.compute.building import build_stages, check_mistakes
from attnviewer.compute.changes import Dirty
from attnviewer.compute.cost import cost, edit_cost
from attnviewer.compute.engine import IncrementalEngine, stores_weights
from attnviewer.compute.expression import (
    Cell,
    Difference,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    numbers,
)
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import Exponential, HyperbolicTangent, SquareRoot
from attnviewer.compute.gradients import largest_magnitude, negligible, strongest
from attnviewer.compute.head_source import (
    HeadLocation,
    HeadSource,
    StepHeads,
    head_locations,
)
from attnviewer.compute.head_statistics import HeadStatistics, head_statistics
from attnviewer.compute.head_survey import HeadSurvey
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.masks import causal_mask, window_mask
from attnviewer.compute.multi_head import multi_head_attention
from attnviewer.compute.normalizers import NORMALIZERS, Normalizer, normalize
from attnviewer.compute.numbers import check_matrix, check_numbers
from attnviewer.compute.one_query import CellGradient
from attnviewer.compute.pin_checks import check_pins, misfits, step_shapes
from attnviewer.compute.pins import Pin
from attnviewer.compute.pooling import Pooling
from attnviewer.compute.positions import (
    Alibi,
    Disentangled,
    Learned,
    Positions,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    alibi_bias,
    alibi_slopes,
    relative_buckets,
    rotary_embedding,
    sinusoidal_encoding,
)
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.remarks import head_remark, row_remark
from attnviewer.compute.row_statistics import RowStatistics, row_statistics
from attnviewer.compute.run import run
from attnviewer.compute.size import check_size
from attnviewer.compute.slip import Slip
from attnviewer.compute.spec import Spec, Variant
from attnviewer.compute.stages import NUMBERED, Axis, Stage
from attnviewer.compute.stages.altered import MistakenGradientError
from attnviewer.compute.statistics import (
    entropy,
    finite_limits,
    row_sums,
    top_keys,
)
from attnviewer.compute.telling import (
    TellingCell,
    telling_cell,
    telling_key,
    telling_tokens,
)
from attnviewer.compute.trace import Trace
from attnviewer.compute.uses import Use, used_by
from attnviewer.compute.validate import check_inputs
from attnviewer.compute.visibility import Visibility
from attnviewer.compute.walk import Move, Phase, QueryWalk
from attnviewer.compute.windowed import (
    Aligned,
    CellChange,
    Combination,
    Combined,
    Folded,
    Folding,
    FoldRule,
    InMemory,
    LargestChanges,
    Overview,
    Pooled,
    SketchedOverview,
    Span,
    StepHead,
    Subtraction,
    Windowed,
    spans_around,
)

__all__ = [
    "NORMALIZERS",
    "NUMBERED",
    "Alibi",
    "Aligned",
    "Array",
    "Axis",
    "BoolArray",
    "Cell",
    "CellChange",
    "CellGradient",
    "Combination",
    "Combined",
    "Difference",
    "Dirty",
    "Disentangled",
    "Exponential",
    "Expression",
    "FoldRule",
    "Folded",
    "Folding",
    "Formula",
    "HeadLocation",
    "HeadSource",
    "HeadStatistics",
    "HeadSurvey",
    "HyperbolicTangent",
    "InMemory",
    "IncrementalEngine",
    "Index",
    "IndexArray",
    "LargestChanges",
    "Learned",
    "LengthScale",
    "MistakenGradientError",
    "Move",
    "Normalizer",
    "Number",
    "Overview",
    "Phase",
    "Pin",
    "Pooled",
    "Pooling",
    "Positions",
    "Power",
    "Product",
    "QKNorm",
    "QueryWalk",
    "Quotient",
    "RelativeBias",
    "Rotary",
    "RotaryAxes",
    "RowStatistics",
    "Shape",
    "Sinusoidal",
    "SketchedOverview",
    "Slip",
    "Span",
    "Spec",
    "SquareRoot",
    "Stage",
    "StepHead",
    "StepHeads",
    "Subtraction",
    "Sum",
    "TellingCell",
    "Trace",
    "Use",
    "Variant",
    "Visibility",
    "Windowed",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "build_stages",
    "causal_mask",
    "check_inputs",
    "check_matrix",
    "check_mistakes",
    "check_numbers",
    "check_pins",
    "check_size",
    "cost",
    "edit_cost",
    "entropy",
    "finite_limits",
    "head_locations",
    "head_remark",
    "head_statistics",
    "largest_magnitude",
    "misfits",
    "multi_head_attention",
    "negligible",
    "normalize",
    "numbers",
    "real_array",
    "relative_buckets",
    "rotary_embedding",
    "row_remark",
    "row_statistics",
    "row_sums",
    "run",
    "sinusoidal_encoding",
    "spans_around",
    "step_shapes",
    "stores_weights",
    "strongest",
    "telling_cell",
    "telling_key",
    "telling_tokens",
    "top_keys",
    "used_by",
    "window_mask",
]
