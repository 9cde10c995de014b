"""The task to change the document until something holds."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from attnviewer.compute.spec import MASKS
from attnviewer.document import MASK, Document
from attnviewer.document.masks import unmasked
from attnviewer.teaching.conditions import Condition
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import Verdict

OPTIONS, TOKENS, PINS = "options", "tokens", "pins"
"""What else than a matrix may change: the variant, the tokens, and pins."""


@dataclass(frozen=True, kw_only=True)
class MakeTask(Task):
    """A document to be changed.

    An answer is the document itself.

    Parameters
    ----------
    until : tuple of Condition
        What all shall hold of it.
    only : tuple of str, or None
        The matrices, and ``options``, ``tokens`` or ``pins``, that may change; ``mask``
        stands for its rules, too. None leaves all free but pins.
    """

    kind: ClassVar[str] = "make"

    until: tuple[Condition, ...]
    only: tuple[str, ...] | None = None

    def check_fit(self, document: Document) -> None:
        trace = document.compute()
        for condition in self.until:
            condition.holds(document, trace)
        known = (*document.matrices, MASK, OPTIONS, TOKENS, PINS)
        for name in self.only or ():
            if name not in known:
                raise ValueError(
                    f"The 'only' must hold names of {', '.join(dict.fromkeys(known))}. "
                    f"Got '{name}' instead."
                )

    def _verdict(self, situation: Situation, answer: Any) -> Verdict:
        if not isinstance(answer, Document):
            return Verdict(False, 0.0, "The document is not changed yet.")
        changed = [n for n in changes(situation.document, answer) if not self._may(n)]
        if changed:
            names = ", ".join(changed)
            only = ", ".join(self.only) if self.only is not None else "all but pins"
            return Verdict(
                False, 0.0, f"Also changed: {names}. Only {only} may change here."
            )
        trace = answer.compute()
        left = []
        for condition in self.until:
            try:
                if not condition.holds(answer, trace):
                    left.append(condition.text)
            except ValueError as error:  # a token or a head that was removed
                left.append(f"{condition.text} ({error})")
        share = 1 - len(left) / len(self.until)
        if not left:
            return Verdict(True, 1.0)
        message = f"Still to come: {'; '.join(left)}."
        return Verdict(False, share, message, unmet=tuple(left))

    def _may(self, name: str) -> bool:
        if self.only is None:
            return name != PINS
        return name in self.only or (name == MASK and OPTIONS in self.only)

    def solution(self, situation: Situation) -> None:
        return None


def changes(before: Document, after: Document) -> list[str]:
    """Return what of a document differs: matrices, options, tokens, pins."""
    names = dict.fromkeys((*before.matrices, *after.matrices))
    found = [name for name in names if not _same(before, after, name)]
    if before.labels != after.labels:
        found.append(TOKENS)
    own, other = (replace(unmasked(d.spec), pins=()) for d in (before, after))
    if own != other:
        found.append(OPTIONS)
    rules = [[getattr(d.spec, n) for n in MASKS] for d in (before, after)]
    if rules[0] != rules[1] and MASK not in found:
        found.append(MASK)
    if before.pins != after.pins:
        found.append(PINS)
    return found


def _same(before: Document, after: Document, name: str) -> bool:
    if name not in before.matrices or name not in after.matrices:
        return False
    return bool(np.array_equal(before.matrix(name), after.matrix(name)))
