"""The derivation of a number, worked out to any depth."""

from attnviewer.document.derivation.latex import (
    escaped_latex,
    expression_latex,
    formula_latex,
    number_latex,
    symbols_latex,
    text_latex,
)
from attnviewer.document.derivation.worked import (
    VALUE_DECIMALS,
    Derivation,
    Worked,
    worked_latex,
)

__all__ = [
    "VALUE_DECIMALS",
    "Derivation",
    "Worked",
    "escaped_latex",
    "expression_latex",
    "formula_latex",
    "number_latex",
    "symbols_latex",
    "text_latex",
    "worked_latex",
]
