"""The task to name the mistake that a document computes with."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.catalogue import BY_ID
from attnviewer.document import Document
from attnviewer.teaching.mistaken import (
    alike,
    check_mistake,
    differences,
    first_wrong_step,
    mistaken_steps,
    planted,
)
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import Verdict

OTHERS = 4
"""How many other mistakes are offered beside the right one."""


@dataclass(frozen=True, kw_only=True)
class MistakeTask(Task):
    """The mistake of a document, to be named.

    An answer is the id of a mistake. One that gives the same numbers in all steps is as
    right.

    Parameters
    ----------
    ids : tuple of str
        The mistakes that are offered; none for the right one and four others that
        change the same step.
    """

    kind: ClassVar[str] = "mistake"

    ids: tuple[str, ...] = ()

    def options(self, document: Document) -> tuple[str, ...]:
        """Return the ids that are offered; `mistake_title` tells them in words."""
        right = planted(document).id
        if self.ids:
            return self.ids
        step = first_wrong_step(document)
        wrong = document.compute()[step]
        others = [
            id
            for id, numbers in self._by_id(document, step).items()
            if id.partition(":")[0] != right.partition(":")[0]
            and not any(alike(n, wrong) for n in numbers)
        ]
        # As good as drawn, and the same whenever the page is opened.
        others.sort(key=lambda id: sha256(f"{right} {id}".encode()).digest())
        offered = [right, *_of_kinds(others)[:OTHERS]]
        return tuple(sorted(offered, key=lambda id: list(BY_ID).index(_kind(id))))

    def _by_id(self, document: Document, step: str) -> dict[str, list[Numbers]]:
        """Return the numbers of a step with each mistake that begins in it."""
        found: dict[str, list[Numbers]] = {}
        for id, numbers in mistaken_steps(document, step, begin=True):
            found.setdefault(id, []).append(numbers)
        return found

    def check_fit(self, document: Document) -> None:
        right = planted(document)
        first_wrong_step(document)
        for id in self.ids:
            check_mistake(id)
        if self.ids and right.id not in self.ids:
            raise ValueError(
                f"The 'options' must hold the mistake of the document, '{right.id}'. "
                f"Got {', '.join(self.ids)} instead."
            )

    def _verdict(self, situation: Situation, answer: Any) -> Verdict:
        document = situation.document
        right = planted(document).id
        if not isinstance(answer, str) or _kind(answer) not in BY_ID:
            return Verdict(False, 0.0, "Choose one of the mistakes.")
        if answer == right:
            return Verdict(True, 1.0, _explanation(right))
        step = first_wrong_step(document)
        found = list(differences(document, answer, step))
        if "" in found:
            return Verdict(True, 1.0, _explanation(answer))
        if not found:
            return Verdict(False, 0.0, f"That mistake would not change “{step}”.")
        return Verdict(
            False, 0.0, f"With that mistake, “{found[0]}” would hold other numbers."
        )

    def solution(self, situation: Situation) -> str:
        return planted(situation.document).id


def _kind(id: str) -> str:
    return id.partition(":")[0]


def _explanation(id: str) -> str:
    explanation = BY_ID[_kind(id)].explanation
    # Those with a number tell it of a variation.
    return (
        ""
        if "{parameter" in explanation
        else explanation.format(detail=id.partition(":")[2])
    )


def _of_kinds(ids: list[str]) -> list[str]:
    """Return the first id of each mistake, whichever matrix it is about."""
    firsts: dict[str, str] = {}
    for id in ids:
        firsts.setdefault(_kind(id), id)
    return list(firsts.values())
