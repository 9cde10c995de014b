"""Why a cell holds its number, worked out as far down as one likes."""

from attnviewer.document.derivation.latex import (
    expression_latex,
    symbols_latex,
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
    "expression_latex",
    "symbols_latex",
    "worked_latex",
]
