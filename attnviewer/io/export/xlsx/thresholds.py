"""The thresholds of sparse normalisers as formulas."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from attnviewer.compute import Array
from attnviewer.io.export.xlsx.cells import Computed


class HelperRow(Protocol):
    """A row of a helper sheet."""

    def beside(self, offset: int) -> str:
        """Return the reference to one of its cells within the sheet."""

    def span(self, first: int, count: int) -> str:
        """Return the reference to a range of its cells within the sheet."""


@np.errstate(all="ignore")
def candidates(
    row: HelperRow, terms: str, first: int, values: Array, power: int
) -> Iterator[Computed]:
    """Yield the formulas of τ for supports of the 1, 2, … largest terms.

    τ is the largest candidate. For squares, the sorted terms follow.

    Parameters
    ----------
    row : HelperRow
        The row.
    terms : str
        The reference to the terms; masked ones are texts.
    first : int
        The column of the first candidate.
    values : ndarray, shape (n_k,)
        The terms; −inf where masked.
    power : int
        1 or 2.

    References
    ----------
    Martins & Astudillo 2016, "From Softmax to Sparsemax", proposition 1, where the
    support ends with the last key for which candidates grow; Peters, Niculae & Martins
    2019, "Sparse Sequence-to-Sequence Models", algorithm 2, where candidates rise with
    the number of keys, and τ is that of the last key above τ.
    """
    visible = np.sort(values[~np.isneginf(values)])[::-1]  # (visible,)
    write = _of_distances if power == 1 else _of_squares
    return write(row, terms, first, visible, values.size)


def _of_distances(
    row: HelperRow, terms: str, first: int, z: Array, n: int
) -> Iterator[Computed]:
    candidates = (np.cumsum(z) - 1) / np.arange(1, z.size + 1)  # (visible,)
    for key in range(n):
        # Each from the previous one: k·τ(k) = (k − 1)·τ(k − 1) + z(k).
        before = f"{key}*{row.beside(first + key - 1)}" if key else "-1"
        own = f"({before}+LARGE({terms},{key + 1}))/{key + 1}"
        value = float(candidates[key]) if key < z.size else ""
        yield Computed(f'IF(COUNT({terms})>{key},{own},"")', value)


def _of_squares(
    row: HelperRow, terms: str, first: int, z: Array, n: int
) -> Iterator[Computed]:
    z = np.maximum(z, -1)  # (visible,)
    count = np.arange(1, z.size + 1)  # (visible,)
    mean = np.cumsum(z) / count  # (visible,)
    spread = (1 - np.cumsum(z * z)) / count + mean * mean  # (visible,)
    candidates = mean - np.sqrt(np.maximum(spread, 0))  # (visible,)
    inside = (candidates < z) & (z > -1)  # (visible,)
    for key in range(n):
        own, fore = row.beside(first + n + key), row.span(first + n, key + 1)
        mean_of = f"SUM({fore})/{key + 1}"
        candidate = f"{mean_of}-SQRT(MAX(0,(1-SUMSQ({fore}))/{key + 1}+({mean_of})^2))"
        known = key < z.size and bool(inside[key])
        yield Computed(
            f'IF(ISTEXT({own}),"",IF({own}>-1,IF({candidate}<{own},{candidate},""),""))',
            float(candidates[key]) if known else "",
        )
    for key in range(n):
        formula = f'IF(COUNT({terms})>{key},MAX(-1,LARGE({terms},{key + 1})),"")'
        yield Computed(formula, float(z[key]) if key < z.size else "")
