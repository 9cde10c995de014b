"""The ranges of numbers of a computation, whatever the free numbers are."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Cell, Index, IndexArray, Trace, Visibility
from attnviewer.compute.normalizers import Normalizer
from attnviewer.document import MASK, Document
from attnviewer.goal_seek.quantities import CellValue, Gap, Quantity, RowValue
from attnviewer.goal_seek.row_bounds import RowBounds

LESS_THAN_ONE = ("softmax1", "sink_softmax")
"""Normalisers whose rows add up to less than 1."""
_BOUNDED = (*LESS_THAN_ONE, "sigmoid")


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the largest value of a number.

    Attributes
    ----------
    low, high : float
        The values.
    why : str
        Why it cannot lie outside, as the end of a sentence.
    help : str
        What would help, as a sentence.
    steps : tuple of float
        The only possible values, if the range is not continuous.
    """

    low: float = -math.inf
    high: float = math.inf
    why: str = ""
    help: str = "Ask for a number in this range."
    steps: tuple[float, ...] = ()


class Ranges:
    """The ranges of the numbers of a document.

    Parameters
    ----------
    document : Document
        The document.
    trace : Trace
        What it computes now.
    """

    def __init__(self, document: Document, trace: Trace) -> None:
        self._document, self._trace = document, trace

    def normalizer_of(self, step: str) -> Normalizer | None:
        """Return what normalises scores to a step; None where no rule yields it."""
        normalize = self._trace.pipeline.rule_of(step)
        return None if normalize is None else normalize.normalizer

    def is_pinned(self, step: str, index: Index) -> bool:
        """Return whether numbers of the row at ``(…, row)`` of a step are pinned."""
        pins = self._trace.stages[step].pins
        if pins is None:
            return False
        *lead, row = index
        return row in pins.rows(tuple(lead), self._trace.shape(step)[-2])

    def pin_of(self, cell: Cell) -> float | None:
        """Return the number that a cell is pinned to; None where it is computed."""
        pins = self._trace.stages[cell.step].pins
        if pins is None or not any(how == "set" for how, _ in pins.at(cell.index)):
            return None
        return self._trace.value(cell)

    def of(self, quantity: Quantity) -> Range:
        """Return the range of a number."""
        if isinstance(quantity, CellValue):
            held = self.pin_of(quantity.cell)
            if held is not None:
                why = f"it is pinned to {held:g}."
                return Range(held, held, why, "Switch that pin off, or change it.")
        if any(self._pinned_weights(quantity)):
            return Range()  # a row with pinned weights need not add up to 1
        if isinstance(quantity, CellValue):
            hidden = self._hidden(quantity.cell)
            if hidden is not None:
                return hidden
            normalizer = self.normalizer_of(quantity.cell.step)
            if normalizer is not None:
                return self._of_weight(quantity.cell, normalizer)
        elif isinstance(quantity, RowValue):
            if quantity.statistic == "sum":
                return self._of_sum(quantity)
            return self._of_entropy(quantity)
        return Range()

    def _pinned_weights(self, quantity: Quantity) -> Iterator[bool]:
        """Yield whether a number is one of a row of weights with pins."""
        rules = self._trace.pipeline.rule_of
        if isinstance(quantity, CellValue) and rules(quantity.cell.step):
            yield self.is_pinned(quantity.cell.step, quantity.cell.index[:-1])
        if isinstance(quantity, RowValue) and rules(quantity.step):
            yield self.is_pinned(quantity.step, quantity.index)

    def of_row(self, step: str, index: Index) -> RowBounds:
        """Return the bounds of the weights at ``(…, row)`` that the query sees.

        The step is one that a rule yields.
        """
        normalizer = self.normalizer_of(step)
        assert normalizer is not None
        whole = self._of_sum(RowValue("sum", step, index))
        within = normalizer.convex or normalizer.name in _BOUNDED
        low, high = (0.0, 1.0) if within else (-math.inf, math.inf)
        return RowBounds(self._seen(step, index), low, high, whole.low, whole.high)

    def sees_all(self, quantity: Quantity) -> bool:
        """Return whether a query sees the keys of a number of its row of weights."""
        if isinstance(quantity, CellValue):
            return self.is_visible(quantity.cell)
        if isinstance(quantity, Gap):
            return self.is_visible(quantity.cell) and self.is_visible(quantity.other)
        assert isinstance(quantity, RowValue)
        return self.visible(quantity.step, quantity.index) > 0

    def visible(self, step: str, index: Index) -> int:
        """Return how many keys the query at ``(…, row)`` of normalised scores sees."""
        return self._seen(step, index).size

    def _seen(self, step: str, index: Index) -> IndexArray:
        """Return the keys that the query at ``(…, row)`` of normalised scores sees."""
        normalize = self._trace.pipeline.rule_of(step)
        assert normalize is not None
        scores = self._trace.row(normalize.inputs[0], index)  # (n_k,)
        return np.flatnonzero(~np.isneginf(scores))

    def is_visible(self, cell: Cell) -> bool:
        """Return whether the query of a weight, or of its score, sees its key."""
        normalize = self._trace.pipeline.rule_of(cell.step)
        source = cell.step if normalize is None else normalize.inputs[0]
        return not np.isneginf(self._trace.value(Cell(source, cell.index)))

    def _hidden(self, cell: Cell) -> Range | None:
        """Return the only value of what a mask, or a bias of −∞, hides; else None."""
        rules = self._trace.pipeline.normalizing
        normalized = {name for s in rules for name in (s.name, s.inputs[0])}
        if cell.step not in normalized or self.is_visible(cell):
            return None
        *_, row, column = cell.index
        reasons = self._mask_reasons(row, column)
        if reasons:
            why = f"the mask hides key {column} from query {row} ({reasons[0]})"
            help_ = "Let the query see that key first, or choose one that it sees."
        else:
            why = f"the bias of query {row} and key {column} is −∞, which hides the key"
            help_ = "Give that bias a finite number first, or choose another key."
        if self.normalizer_of(cell.step) is not None:
            return Range(0.0, 0.0, f"{why}, so its weight is 0.", help_)
        return Range(-math.inf, -math.inf, f"{why}, so its score is −∞.", help_)

    def _mask_reasons(self, row: int, column: int) -> list[str]:
        spec = self._document.spec
        if not spec.masked:
            return []
        mask = self._document.matrices[MASK].astype(bool) if spec.mask else None
        n_q, n_k = self._trace.matrix_shape(self._trace.pipeline.weights)
        return Visibility(spec, n_q, n_k, mask).reasons(row, column)

    def _of_weight(self, cell: Cell, normalizer: Normalizer) -> Range:
        row = cell.index[-2]
        if normalizer.convex and self.visible(cell.step, cell.index[:-1]) == 1:
            why = f"query {row} sees one key only, so its weight is 1."
            return Range(1.0, 1.0, why, "Let the query see more keys first.")
        if normalizer.name == "hardmax":
            why = (
                "hardmax gives one key all the weight and the others none, and there "
                "is nothing between its steps."
            )
            help_ = "Ask for 0 or 1, or choose softmax."
            return Range(0.0, 1.0, why, help_, steps=(0.0, 1.0))
        if normalizer.convex or normalizer.name in _BOUNDED:
            return Range(0.0, 1.0, f"weights of {normalizer.title} are from 0 to 1.")
        return Range()

    def _of_sum(self, quantity: RowValue) -> Range:
        normalizer = self.normalizer_of(quantity.step)
        if normalizer is None:
            return Range()
        title = normalizer.title
        count = self.visible(quantity.step, quantity.index)
        if not count:
            why = f"query {quantity.index[-1]} sees no key, so its weights are 0."
            return Range(0.0, 0.0, why, "Let the query see a key first.")
        if normalizer.convex or normalizer.name == "sum":
            why = f"the weights of a row of {title} add up to 1, whatever the scores."
            help_ = "Choose a normaliser whose rows need not, such as sigmoid."
            return Range(1.0, 1.0, why, help_)
        if normalizer.name in LESS_THAN_ONE:
            why = f"the weights of a row of {title} add up to less than 1."
            return Range(0.0, 1.0, why)
        if normalizer.name == "sigmoid":
            why = f"each of the {count} weights that are not hidden is from 0 to 1."
            return Range(0.0, float(count), why)
        return Range()

    def _of_entropy(self, quantity: RowValue) -> Range:
        row, of_keys = quantity.index[-1], quantity.statistic == "effective_keys"
        normalizer = self.normalizer_of(quantity.step)
        if normalizer is not None:
            count = self.visible(quantity.step, quantity.index)
            seen = f"query {row} sees {count} key{'s' if count > 1 else ''}"
            if normalizer.name == "hardmax" and count:
                only = 1.0 if of_keys else 0.0
                why = "hardmax gives all the weight to one key, whatever the scores."
                return Range(only, only, why, "Choose softmax.")
        else:
            count = self._trace.shape(quantity.step)[-1]
            seen = f"a row of {quantity.step} has {count} numbers"
        if not count:
            why = f"query {row} sees no key, so no key has any weight."
            return Range(0.0, 0.0, why, "Let the query see a key first.")
        if of_keys:
            why = f"{seen}, so from 1 to {count} can be effective."
            return Range(1.0, float(count), why)
        most = math.log2(count)
        why = f"{seen}, so the entropy is from 0 to log₂ {count} = {most:.4g} bits."
        return Range(0.0, most, why)
