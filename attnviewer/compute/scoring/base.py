"""The base of scoring rules: how a query is compared with a key."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from attnviewer.compute.expression import Expression
from attnviewer.compute.stages.base import Axis, Stage
from attnviewer.compute.stages.column_sum import ColumnSum
from attnviewer.compute.stages.comparison import Comparison


@dataclass(frozen=True, slots=True)
class Side:
    """Queries or keys, before they are compared.

    Parameters
    ----------
    step : str
        The step that holds them.
    rows : Axis
        What its rows stand for: tokens, queries or keys.
    per_head : bool
        Whether it has a head axis.
    """

    step: str
    rows: Axis
    per_head: bool


class Scoring(ABC):
    """A way to compare queries with keys."""

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    """What it does, in a sentence."""
    plain_rule: ClassVar[str]
    """The same in symbols, for a query q and a key k."""
    weights: ClassVar[tuple[str, ...]] = ()
    """Its inputs besides queries and keys."""
    same_width: ClassVar[bool] = True
    """Whether queries and keys must have the same width."""

    def prepare(self, queries: Side, keys: Side) -> Sequence[Stage]:
        """Return the stages that prepare queries and keys for the comparison."""
        return ()

    def compared(self, queries: str, keys: str) -> tuple[str, str]:
        """Return the steps that are compared, after preparation."""
        return queries, keys

    @abstractmethod
    def compare(self, queries: str, keys: str) -> Comparison:
        """Return the stage that compares them."""


class ColumnScoring(Scoring):
    """A scoring rule that is a sum over the columns of query and key."""

    term: ClassVar[Expression]
    """The rule for one column, made of `QUERY` and `KEY`."""

    def compare(self, queries: str, keys: str) -> Comparison:
        return ColumnSum(queries, keys, self.term)
