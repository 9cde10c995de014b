"""Warnings about a training run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.training.plan import Plan
from attnviewer.training.slope import Rows

WORSE, BACK = 10.0, 0.1
"""A loss diverges if it is above this multiple of the least so far and this share of
the first, which random sequences near the end of a run do not exceed."""
RESTING = 20
"""Over how many steps the loss of a stuck run is constant."""
AT_REST, FLAT = 1e-6, 1e-4
"""The relative change of that loss, and the share of the largest gradient so far that
is left, at most."""
SMALL = 1e-3
"""The share of the first loss below which there is little left to learn."""
ONE_HOT, PASSES = 1e-3, 1e-3
"""The most weight on the other keys of a saturated row, and the largest gradient that
passes through it where the loss of a row is 1."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A warning about a training run after a step.

    Parameters
    ----------
    kind : {"diverged", "stuck", "saturated", "answer_visible"}
        What is wrong.
    message : str
        The same in words, and what would help.
    row, head : int or None
        The row of the weights that it is about, counted from zero; its head where there
        are several.
    """

    kind: Literal["diverged", "stuck", "saturated", "answer_visible"]
    message: str
    row: int | None = None
    head: int | None = None


class Adviser:
    """Looks at the losses, the gradients and the weights of a run.

    Parameters
    ----------
    plan : Plan
        The run.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def at(
        self,
        index: int,
        matrices: Mapping[str, Array],
        losses: Sequence[float],
        norms: Sequence[float],
        stopped: str,
    ) -> tuple[Advice, ...]:
        """Return the warnings after a step.

        Parameters
        ----------
        index : int
            The step.
        matrices : mapping of str to ndarray
            The matrices after it.
        losses : sequence of float
            The loss before each step up to it, and after it.
        norms : sequence of float
            The norm of the gradient of each step up to it.
        stopped : str
            Why the run stopped there; "" if it did not.
        """
        return tuple(self._warnings(index, matrices, losses, norms, stopped))

    def _warnings(
        self,
        index: int,
        matrices: Mapping[str, Array],
        losses: Sequence[float],
        norms: Sequence[float],
        stopped: str,
    ) -> Iterator[Advice]:
        if stopped:
            yield Advice("diverged", stopped)
        elif losses[-1] > max(WORSE * min(losses), BACK * losses[0]):
            yield Advice(
                "diverged",
                f"The loss is {losses[-1]:.3g}, after {min(losses):.3g} before: the "
                f"learning rate {self._plan.lr:g} is too large.",
            )
        elif _is_stuck(losses, norms):
            yield Advice(
                "stuck",
                f"The loss has not changed from {losses[-1]:.3g} for {RESTING} steps, "
                f"and the gradient is {norms[-1]:.2g}: a minimum or a plateau. Other "
                "initial values, or another optimiser, may get further.",
            )
        if losses[-1] > SMALL * losses[0]:
            yield from self._saturated(index, matrices)
        yield from self._visible_answer()

    def _saturated(self, index: int, matrices: Mapping[str, Array]) -> Iterator[Advice]:
        """Yield a warning of the saturated row that most needs another key."""
        plan = self._plan
        if not plan.loss_of.trained_before_scores:
            return
        trained = {name: matrices[name] for name in plan.loss_of.trained}
        rows = plan.loss_of.rows(trained, index + 1)
        lacking = _lacking(rows, plan.setting.visible)  # (..., n_q)
        if not lacking.any():
            return
        *head, row = (int(k) for k in np.unravel_index(lacking.argmax(), lacking.shape))
        key = int(rows.weights[(*head, row)].argmax())
        tokens, names = plan.sequences.at(index + 1), plan.sequences.names
        queries, keys = (side.reshape(-1, side.shape[-1])[0] for side in tokens)
        where = f"Row {row} ('{names[queries[row]]}')"
        if head:
            where += f" of head {head[0]}"
        others = np.count_nonzero(lacking) - 1
        are = "is" if others == 1 else "are"
        and_more = f", as {are} {others} more" if others else ""
        named = f" ('{names[keys[key]]}')" if key < len(keys) else ""
        yield Advice(
            "saturated",
            f"{where} is saturated{and_more}: nearly all of its weight is on key {key}"
            f"{named}, so that next to no gradient passes through it. Smaller initial "
            "values, or a higher temperature, would help.",
            row,
            head[0] if head else None,
        )

    def _visible_answer(self) -> Iterator[Advice]:
        if self._plan.goal.readout is None or self._plan.document.spec.context:
            return
        seen = np.argwhere(np.diagonal(self._plan.setting.visible, 1))  # (number, 1)
        if len(seen):
            row = int(seen[0, 0])
            yield Advice(
                "answer_visible",
                f"Query {row} sees the token that it is to predict. A causal mask "
                "would hide it.",
                row,
            )


def _is_stuck(losses: Sequence[float], norms: Sequence[float]) -> bool:
    if len(losses) <= RESTING or losses[-1] <= SMALL * losses[0]:
        return False
    last = losses[-RESTING - 1 :]
    return max(last) - min(last) <= AT_REST * abs(last[-1]) and (
        norms[-1] <= FLAT * max(norms) or norms[-1] <= AT_REST
    )


def _lacking(rows: Rows, visible: BoolArray) -> Array:
    """Return by how much each saturated row would gain by another key, else 0.

    Shape (..., n_q).
    """
    weights = rows.weights  # (..., n_q, n_keys)
    n_rows = weights.size // weights.shape[-1]
    usual = abs(rows.loss) / n_rows
    on_weights = rows.on_weights.copy()  # (..., n_q, n_keys)
    on_weights[..., : visible.shape[1]][..., ~visible] = np.inf
    largest = weights.argmax(axis=-1)[..., np.newaxis]  # (..., n_q, 1)
    on_largest = np.take_along_axis(on_weights, largest, axis=-1)[..., 0]  # (..., n_q)
    gain = on_largest - on_weights.min(axis=-1)  # (..., n_q)
    saturated = (
        (weights.max(axis=-1) >= 1 - ONE_HOT)
        & (np.abs(rows.on_scores).max(axis=-1) <= PASSES * usual)
        & (gain > ONE_HOT * usual)
    )
    return np.where(saturated, gain, 0)
