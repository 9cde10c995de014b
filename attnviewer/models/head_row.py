"""A row of the table of heads."""

from collections.abc import Iterable
from typing import NamedTuple


class HeadRow(NamedTuple):
    """A head, with means over its queries; see `HeadStatistics`.

    Parameters
    ----------
    layer, head : int
        Layer and head, counted from zero.
    entropy : float
        In bits.
    effective_keys : float
        The effective number of keys that a query attends to.
    distance : float
        The mean distance between a query and its keys.
    first_share, previous_share, diagonal_share : float
        Mean weights of the first token, of the token before the query and of the query
        itself. NaN where no query has such a token.
    """

    layer: int
    head: int
    entropy: float
    effective_keys: float
    distance: float
    first_share: float
    previous_share: float
    diagonal_share: float


class WideHeadRow(HeadRow):
    """A row with further columns, each an attribute: ``row.cell``.

    Parameters
    ----------
    values : iterable of float
        All numbers, those of `HeadRow` first.
    columns : tuple of str
        Their names.
    """

    def __new__(
        cls, values: Iterable[float], columns: tuple[str, ...]
    ) -> "WideHeadRow":
        row = tuple.__new__(cls, values)
        vars(row)["_fields"] = columns
        return row

    def __getnewargs__(self) -> tuple[tuple[float, ...], tuple[str, ...]]:
        return tuple(self), self._fields

    def __getattr__(self, name: str) -> float:
        if name not in self._fields:
            raise AttributeError(f"The row has no column '{name}'.")
        number: float = self[self._fields.index(name)]
        return number

    def __repr__(self) -> str:
        pairs = zip(self._fields, self, strict=True)
        return f"HeadRow({', '.join(f'{name}={value!r}' for name, value in pairs)})"
