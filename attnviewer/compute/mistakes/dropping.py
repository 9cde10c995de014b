"""Dropout that is active."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.mixing import FROM_ONE
from attnviewer.compute.mistakes.unmixing import weights_mixed


def _dropped(right: Evaluation, mine: Mapping[str, Numbers]) -> Iterator[Variation]:
    """Yield the plans in which what is 0 in somebody's steps was dropped."""
    plan = right.plan
    for name in ("weights", plan.mixed, "output"):
        exact, theirs = right[name], mine.get(name)
        if theirs is None or theirs.shape != exact.shape:
            continue
        drop = _dropout_between(exact, theirs, theirs == 0)
        if drop is not None:
            yield Variation(plan.then(name, drop), drop.share)
    exact, mixed = right["weights"], weights_mixed(right, mine)
    if mixed is None:
        return
    # Dropout makes no weight smaller, but for those it drops.
    drop = _dropout_between(exact, mixed, np.abs(mixed) < np.abs(exact) / 2)
    if drop is not None:
        shown = "weights" in mine
        changed = (
            plan.reading(plan.mixed, drop) if shown else plan.then("weights", drop)
        )
        yield Variation(changed, drop.share)


class _Dropout:
    """Dropout as it happened once.

    Parameters
    ----------
    gone : ndarray of bool
        What it dropped.
    factor : float
        What it multiplied the others by: 1/(1 − p).
    """

    def __init__(self, gone: Numbers, factor: float) -> None:
        self.gone, self.factor = gone, factor

    def __call__(self, rows: Numbers) -> Numbers:
        return np.where(self.gone, 0.0, rows * self.factor)

    @property
    def share(self) -> float:
        """The share p that it drops on average."""
        return round(1 - 1 / self.factor, 6)


def _dropout_between(exact: Numbers, theirs: Numbers, zero: Numbers) -> _Dropout | None:
    """Return the dropout that made somebody's numbers of the right ones, if one may.

    Parameters
    ----------
    exact, theirs : ndarray
        The right numbers and somebody's.
    zero : ndarray of bool
        Which of somebody's numbers are 0.
    """
    dropped, kept = zero & (exact != 0), ~zero & (exact != 0)
    # Whole rows that are gone were not dropped by chance.
    if not (dropped.any(axis=-1) & kept.any(axis=-1)).any():
        return None
    with np.errstate(all="ignore"):
        factor = float(np.median(theirs[kept] / exact[kept]))
    count = int((dropped | kept).sum())
    if not _is_dropout(factor, float(dropped.sum() / count), count):
        return None
    return _Dropout(
        dropped, next((f for f in _USUAL if abs(f - factor) < 1e-3 * f), factor)
    )


def _is_dropout(factor: float, share: float, count: int) -> bool:
    """Return whether dropout may have multiplied what it kept of some numbers.

    Parameters
    ----------
    factor : float
        What the kept numbers are multiplied by: 1/(1 − p).
    share : float
        The share of the others, which is p on average.
    count : int
        The count of numbers.
    """
    if not 1 + FROM_ONE < factor < np.inf:
        return False
    p = 1 - 1 / factor
    return bool(abs(share - p) < DEVIATIONS * (p * (1 - p) / count) ** 0.5 + 1 / count)


DEVIATIONS = 5.0
"""How far the share of dropped numbers may be from what is expected."""

_USUAL = tuple(1 / (1 - share / 100) for share in range(0, 95, 5))
"""What dropout multiplies the kept weights by, for the usual shares."""

MISTAKES = (
    Mistake(
        "dropout-active",
        "Dropout is active",
        lambda plan: iter(()),
        "Some numbers are 0 and the others are larger by one factor, 1/(1 − p) with "
        "p = {parameter:.3g}: the model is in training mode.",
        Remedy("model.train()", "model.eval()"),
        Remedy("weights * keep / (1 - p)", "weights"),
        "Srivastava et al. 2014; PyTorch's nn.Dropout",
        recognize=_dropped,
    ),
)
