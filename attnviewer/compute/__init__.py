"""Attention as a list of stages. NumPy only: no state, no files, no windows."""

from attnviewer.compute.arrays import Array, BoolArray, Index, Shape
from attnviewer.compute.cost import cost
from attnviewer.compute.formula import (
    Cell,
    Difference,
    Exponential,
    Expression,
    Formula,
    Number,
    Product,
    Quotient,
    SquareRoot,
    Sum,
    numbers,
)
from attnviewer.compute.masks import MASKS, Mask
from attnviewer.compute.normalizers import NORMALIZERS, Normalizer
from attnviewer.compute.pipeline import build_stages, run
from attnviewer.compute.pooling import pool_extremes
from attnviewer.compute.spec import Spec, Variant
from attnviewer.compute.stages import Axis, Stage
from attnviewer.compute.statistics import (
    effective_keys,
    entropy,
    finite_limits,
    row_sums,
    top_keys,
)
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs, check_matrix

__all__ = [
    "MASKS",
    "NORMALIZERS",
    "Array",
    "Axis",
    "BoolArray",
    "Cell",
    "Difference",
    "Exponential",
    "Expression",
    "Formula",
    "Index",
    "Mask",
    "Normalizer",
    "Number",
    "Product",
    "Quotient",
    "Shape",
    "Spec",
    "SquareRoot",
    "Stage",
    "Sum",
    "Trace",
    "Variant",
    "build_stages",
    "check_inputs",
    "check_matrix",
    "cost",
    "effective_keys",
    "entropy",
    "finite_limits",
    "numbers",
    "pool_extremes",
    "row_sums",
    "run",
    "top_keys",
]
