"""The base of normalisers: a state per row, from which any window can be computed."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.compute.arrays import ALL, Array, BoolArray, Selection
from attnviewer.compute.expression import Cell, Expression, Number
from attnviewer.compute.formula import Formula
from attnviewer.compute.row_blocks import few_rows
from attnviewer.compute.rules import Rows, WrittenRow, in_symbols, numbers_of_rows


@dataclass(frozen=True)
class Normalizer(ABC):
    """Turns rows of scores into attention weights.

    The work is split in two, so that a window of an n × n matrix can be computed
    without the rest: `state` reads whole rows once, `apply` needs only the scores of
    the window and the state of its rows.

    Parameters
    ----------
    temperature : float
        The divisor of the scores.

    Raises
    ------
    TypeError, ValueError
        If the temperature is not a finite number above 0.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    """What it does, in a sentence."""
    formula: ClassVar[str] = ""
    """The formula in terms of the source step; "" for the title as a function of it."""
    masked_note: ClassVar[str] = "it gets no weight"
    """How a score of −∞ is treated."""
    signed: ClassVar[bool] = False
    """Whether weights may be negative."""
    convex: ClassVar[bool] = True
    """Whether a row that sees a key gets weights of at least 0 that add up to 1."""
    whole_rows: ClassVar[bool] = False
    """Whether masked keys count, so that they cannot be left out of a row."""
    cancels_temperature: ClassVar[bool] = False
    """Whether the weights do not depend on the temperature."""
    has_gradient: ClassVar[bool] = True
    """Whether the weights change by little if a score does."""
    shares_infinity: ClassVar[bool] = False
    """Whether scores of +∞ share the weight of their row equally."""

    exponential: ClassVar[bool] = False
    """Whether adding x to a score multiplies its kept number by e^x."""

    temperature: float = 1.0

    def __post_init__(self) -> None:
        given: object = self.temperature
        wrong = (
            "The 'temperature' option must be a finite number above 0. "
            f"Got {given!r} instead."
        )
        if isinstance(given, bool) or not isinstance(given, Real):
            raise TypeError(wrong)
        try:
            number = float(given)
        except OverflowError as error:
            raise ValueError(wrong) from error
        if not 0 < number < math.inf:
            raise ValueError(wrong)
        # Fractions and NumPy numbers are real, too.
        object.__setattr__(self, "temperature", number)

    @classmethod
    def with_options(cls, **options: float) -> Self:
        """Make the normaliser with options by name.

        Raises
        ------
        TypeError, ValueError
            If there is no such option, or its value is invalid.
        """
        for option in options:
            check_name(f"{cls.name} option", option, [f.name for f in fields(cls)])
        return cls(**options)

    @property
    @abstractmethod
    def rule(self) -> Expression:
        """The weight of a key, over scores that the temperature has divided.

        Numbers, gradients, explanations, programs and spreadsheets are derived from it.
        A normaliser that computes its numbers in another way, faster or more exactly,
        is tested against it.
        """

    @property
    def plain_rule(self) -> str:
        """The rule shown with the sentence; "" for `symbols`."""
        return ""

    @property
    def symbols(self) -> str:
        """The rule in mathematical symbols."""
        return in_symbols(self.rule)

    def state(self, scores: Array) -> Array:
        """Return the state of each row, shape (..., n_q, number of states)."""
        return Rows(self._over_temperature(scores)).numbers(self.rule)

    def apply(self, scores: Array, state: Array, keys: Selection = ALL) -> Array:
        """Return the weights of a window of scores.

        Parameters
        ----------
        scores : ndarray, shape (..., rows, columns)
            Scores of the window; −inf where a key is masked.
        state : ndarray, shape (..., rows, number of states)
            What `state` returned for the window's rows.
        keys : slice without step, or ndarray of intp
            The keys of the window's columns; by default the first ones.

        Returns
        -------
        ndarray, shape (..., rows, columns)
            Weights; zero where masked, and in rows that are masked as a whole.
        """
        rows = Rows(self._over_temperature(scores), keys)
        return rows.weights(self.rule, state)

    def backward(self, scores: Array, weights: Array, gradient: Array) -> Array:
        """Return the gradient on the scores, given that on the weights.

        At kinks of the weights, one of the usual subgradients.

        Parameters
        ----------
        scores, weights, gradient : ndarray, shape (..., n_q, n_k)
            Whole rows.
        """
        rows = Rows(self._over_temperature(scores))
        on_scores = rows.gradient(self.rule, gradient)
        return self._tempered(on_scores, out=on_scores)

    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        """Write one weight out.

        Parameters
        ----------
        scores : ndarray, shape (n_k,)
            The cell's row of scores.
        column : int
            The key.
        cell : Cell
            The weight that is explained.
        source : str
            Name of the step the scores come from.
        limit : int
            How many terms a sum may have.
        """
        value = float(self.normalize(scores[np.newaxis])[0, column])
        symbols, note = self.symbols, self._why_not_written(scores, column)
        if note:
            deciding = {column: None}
            if not np.isneginf(scores[column]):
                deciding[int(np.argmax(scores))] = None
            sources = tuple(Cell(source, (*cell.index[:-1], k)) for k in deciding)
            return Formula(cell, value, symbols, (), note, sources)

        def score(key: int) -> Expression:
            score_cell = Cell(source, (*cell.index[:-1], key))
            number = Number(float(scores[key]), score_cell)
            return number if self.temperature == 1.0 else number / self.temperature

        row = WrittenRow(self._over_temperature(scores), score, limit)
        steps = row.steps(self.rule, column)
        return Formula(cell, value, symbols, steps, self._remark(scores))

    def keep(self, scores: Array) -> Array:
        """Overwrite whole rows of scores by their kept numbers; return their state.

        The kept numbers are the weights, or numerators over `divisor`.
        """
        states = []
        for some in few_rows(*scores.shape[-2:]):
            rows = scores[..., some, :]  # (..., rows, n_k)
            states.append(self.state(rows))
            rows[...] = self.apply(rows, states[-1])
        return np.concatenate(states, axis=-2)  # (..., n_q, number of states)

    def overwrite(self, scores: Array, state: Array, keys: Selection = ALL) -> None:
        """Overwrite a window of scores by its weights; parameters as in `apply`."""
        for some in few_rows(*scores.shape[-2:]):
            rows = scores[..., some, :]  # (..., rows, columns)
            rows[...] = self.apply(rows, state[..., some, :], keys)

    def divisor(self, state: Array) -> Array | None:
        """Return the divisor of the kept numbers, shape (..., rows, 1).

        None where the weights themselves are kept.
        """
        return None

    def keep_columns(self, scores: Array, state: Array) -> BoolArray:
        """Overwrite some columns of changed scores by their kept numbers.

        Parameters
        ----------
        scores : ndarray, shape (..., n_q, columns)
            The new scores.
        state : ndarray, shape (..., n_q, number of states)
            The states of the rows before the change.

        Returns
        -------
        ndarray of bool, shape (..., n_q)
            Rows that must be computed as a whole, because their state does not suit
            the new scores; by default all.
        """
        return np.ones(scores.shape[:-1], dtype=bool)

    def keeps_state(
        self, before: Array, after: Array, state: Array, first: int = 0
    ) -> BoolArray:
        """Return which rows have the same state after some of their scores change.

        Parameters
        ----------
        before, after : ndarray, shape (..., rows, columns)
            The scores of a window before and after the change.
        state : ndarray, shape (..., rows, number of states)
            The states of the window's rows before it.
        first : int
            The key of the window's first column.

        Returns
        -------
        ndarray of bool, shape (..., rows)
            By default none: a state depends on the whole row.
        """
        return np.zeros(before.shape[:-1], dtype=bool)

    def total(self, state: Array) -> Array | None:
        """Return the sum of each row's kept numbers, shape (..., n_q).

        None where a key cannot change without the other keys of its row.
        """
        return None

    def normalize(self, scores: Array) -> Array:
        """Return the weights of whole rows, shape of `scores`."""
        return self.apply(scores, self.state(scores))

    def described(self, source: str) -> str:
        """Return the formula in terms of the step that holds the scores."""
        if self.temperature != 1.0:
            source = f"{source} / {self.temperature:g}"
        return (self.formula or f"{self.title}({{source}})").format(source=source)

    def _why_not_written(self, scores: Array, column: int) -> str:
        """Return why a weight is not written out, "" if it is.

        Parameters
        ----------
        scores : ndarray, shape (n_k,)
            The row.
        column : int
            The key.
        """
        numbers = numbers_of_rows(self.rule)
        if np.isneginf(scores).all() and numbers:
            return "Every score of this query is −∞: its weights are zero."
        finite = bool(np.isfinite(float(scores.max()) / self.temperature))
        if numbers and not finite:
            return self._infinite_note(scores) or (
                "The row's largest score over the temperature is not finite: the "
                "weights cannot be written out."
            )
        if np.isneginf(scores[column]):
            return f"The score is −∞, as that of a masked key is: {self.masked_note}."
        return ""

    def _remark(self, scores: Array) -> str:
        """Return a note on the weights of a row that are written out."""
        return ""

    def _infinite_note(self, scores: Array) -> str:
        """Return how a row with +∞ is normalised, "" if it holds none."""
        count = np.count_nonzero(np.isposinf(scores))
        if not count or np.isnan(scores).any():
            return ""
        shared = "the key that has it gets all the weight"
        if count > 1:
            shared = f"the {count} keys that have it share the weight equally"
        return (
            f"The row holds +∞: {shared}, as in the limit. NumPy's exp(s − max) would "
            "give NaN, as ∞\N{NO-BREAK SPACE}−\N{NO-BREAK SPACE}∞ is undefined."
        )

    def _below(self, scores: Array, shift: Array, *, out: Array) -> Array:
        """Write (scores − shift) / temperature into `out`, which may be the scores.

        Masked keys stay at −inf whatever the shift, and with a shift of +inf the cells
        that hold +inf get 0, where the differences would be NaN.
        """
        if not np.isfinite(shift).all():
            highest = np.finfo(scores.dtype).max
            scores = np.where(np.isposinf(scores), highest, scores)
            shift = np.where(np.isposinf(shift), highest, shift)  # (..., n_q, 1)
            shift = np.where(np.isneginf(shift), 0, shift)  # (..., n_q, 1)
        with np.errstate(over="ignore"):
            safe = largest_safe_shift(scores.dtype)
            if self.temperature > 1 and shift.max(initial=0) > safe:
                # Differences may overflow; those of halved numbers cannot.
                np.subtract(scores / 2, shift / 2, out=out)
                return self._divided(out, self.temperature / 2, out=out)
            np.subtract(scores, shift, out=out)
            return self._tempered(out, out=out)

    def _tempered(self, scores: Array, *, out: Array) -> Array:
        """Return scores, or gradients, over the temperature; `out` may be them."""
        if self.temperature == 1.0:
            return scores
        return self._divided(scores, self.temperature, out=out)

    @staticmethod
    def _divided(scores: Array, temperature: float, *, out: Array) -> Array:
        # Half and single precision cannot represent every temperature.
        divided: Array = np.divide(
            scores, temperature, out=out, dtype=np.float64, casting="same_kind"
        )
        return divided

    def _over_temperature(self, scores: Array) -> Array:
        """Return scores over the temperature, shape of `scores`."""
        return self._tempered(scores, out=np.empty_like(scores))


def largest_safe_shift(dtype: "np.dtype[np.floating[Any]]") -> float:
    """Return the most that any finite number can be reduced by without overflow."""
    limits = np.finfo(dtype)
    return float(limits.max) * float(limits.eps) / 4


def weighted(weights: Array, values: Array) -> Array:
    """Return weights · values, and 0 wherever the weight is 0, even at inf or NaN."""
    shape = np.broadcast_shapes(weights.shape, values.shape)
    nothing = np.zeros(shape, weights.dtype)
    return np.multiply(weights, values, out=nothing, where=weights != 0)
