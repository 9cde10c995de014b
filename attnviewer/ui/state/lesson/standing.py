"""A learner's standing with a task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from attnviewer.teaching import Progress, Verdict

Outcome = Literal["open", "wrong", "right", "shown", "skipped"]

ATTEMPTS = 2
"""After so many wrong answers the right one can be shown, where there are no hints."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A learner's standing with a task.

    Parameters
    ----------
    outcome : str
        ``open``: not answered; ``shown``: the answer was looked at; the others as they
        are called.
    answer : object
        The last answer, as the task takes it.
    verdict : Verdict or None
        The verdict on it.
    attempts : int
        How often an answer was checked.
    hints : int
        How many hints were looked at.
    was_shown : bool
        Whether the answer was ever looked at.
    """

    outcome: Outcome = "open"
    answer: Any = None
    verdict: Verdict | None = None
    attempts: int = 0
    hints: int = 0
    was_shown: bool = False

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return self.outcome in ("right", "shown")

    @property
    def settled(self) -> bool:
        """Whether the task is done, or was left out."""
        return self.finished or self.outcome == "skipped"

    @property
    def at_first(self) -> bool:
        """Whether the first answer was right, without a hint."""
        helped = self.hints > 0 or self.was_shown
        return self.outcome == "right" and not helped and self.attempts <= 1

    def may_be_shown(self, n_hints: int) -> bool:
        """Return whether the answer can be asked for: after all hints or attempts."""
        seen = self.hints >= n_hints if n_hints else self.attempts >= ATTEMPTS
        return seen and not self.finished


def standings(progress: Progress) -> dict[str, Standing]:
    """Return how a learner stood, without verdicts, by the ids of the tasks."""
    ids = progress.answers.keys() | progress.done | progress.skipped
    ids |= progress.hints.keys() | progress.attempts.keys() | progress.shown
    return {id: _standing(progress, id) for id in ids}


def _standing(progress: Progress, id: str) -> Standing:
    outcome: Outcome = "open"
    if id in progress.done:
        outcome = "right"
    elif id in progress.skipped:
        outcome = "skipped"
    elif progress.attempts.get(id):
        outcome = "wrong"
    return Standing(
        outcome,
        progress.answers.get(id),
        None,
        progress.attempts.get(id, 0),
        progress.hints.get(id, 0),
        id in progress.shown,
    )


def progress_of(
    found: Mapping[str, Standing], *, page: int, seed: int, seeds: Mapping[int, int]
) -> Progress:
    """Return what is to be kept of how a learner stands."""
    return Progress(
        answers={id: s.answer for id, s in found.items() if s.answer is not None},
        done=frozenset(id for id, s in found.items() if s.outcome == "right"),
        skipped=frozenset(id for id, s in found.items() if s.outcome == "skipped"),
        hints={id: s.hints for id, s in found.items() if s.hints},
        page=page,
        seed=seed,
        attempts={id: s.attempts for id, s in found.items() if s.attempts},
        shown=frozenset(id for id, s in found.items() if s.was_shown),
        seeds=dict(seeds),
    )
