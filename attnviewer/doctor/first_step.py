"""The numbers of the first step that differs, beside the right ones."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.precision import precision_of

LAST = 4.0
"""Rounding errors up to this multiple are not shown as a difference."""


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One matrix of a step, as the implementation has it and as it should be.

    Parameters
    ----------
    title : str
        The step, with its head where it has several.
    theirs, right : ndarray, shape (rows, columns)
        The implementation's numbers and the right ones; of two shapes where a mistake
        changes it.
    rounding : float
        The differences that are no more than the last digits of the largest numbers.
    """

    title: str
    theirs: Numbers
    right: Numbers
    rounding: float

    @property
    def difference(self) -> Numbers | None:
        """Theirs − right, 0 where that is rounding; None for two shapes."""
        if self.theirs.shape != self.right.shape:
            return None
        with np.errstate(invalid="ignore"):
            off = self.theirs.astype(np.float64) - self.right
        same = (self.theirs == self.right) | (np.abs(off) <= self.rounding)
        return np.where(same, 0.0, off)

    @classmethod
    def of(cls, diagnosis: Diagnosis) -> "FirstStep | None":
        """Return the matrix that differs most; None where all agrees.

        Parameters
        ----------
        diagnosis : Diagnosis
            The diagnosis.
        """
        given = [name for name in diagnosis.plan.steps if name in diagnosis.mine]
        called = dict(zip(diagnosis.compared, given, strict=True))
        name = called.get(diagnosis.first_different or "")
        if name is None:
            return None
        right = Evaluation(diagnosis.plan, diagnosis.inputs)[name]
        theirs, title = diagnosis.mine[name], f"{diagnosis.first_different}"
        largest = np.max(np.abs(right), initial=0.0, where=np.isfinite(right))
        rounding = LAST * precision_of(theirs).roundoff * float(largest)
        if theirs.ndim > 2 and theirs.shape == right.shape:
            with np.errstate(invalid="ignore"):
                off = np.where(theirs == right, 0.0, np.abs(theirs - right))
            most = np.nan_to_num(off, nan=np.inf).max(axis=(-2, -1))
            index = np.unravel_index(int(most.argmax()), most.shape)
            where = [int(i) for i in index]
            words = (f"batch item {where[0]}", f"head {where[-1]}")
            title += f", {', '.join(words[-len(where) :])}"
            return cls(title, theirs[index], right[index], rounding)
        return cls(title, _rows(theirs), _rows(right), rounding)


def _rows(array: Numbers) -> Numbers:
    """Return all rows below each other."""
    return array.reshape(-1, array.shape[-1])
