"""The task to choose among answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from attnviewer.document import Document
from attnviewer.document.labels import distinct_label
from attnviewer.teaching.ranking import Ranking
from attnviewer.teaching.situation import Situation
from attnviewer.teaching.steps import matrix_of
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Option:
    """An answer to choose.

    Parameters
    ----------
    text : str
        The answer, in Markdown.
    right : bool
        Whether it is to be chosen.
    feedback : str
        The feedback once it is chosen; "" for nothing.
    """

    text: str
    right: bool = False
    feedback: str = ""


@dataclass(frozen=True, kw_only=True)
class ChoiceTask(Task):
    """One or several answers to be chosen.

    An answer is a tuple of the numbers of the chosen options, counted from 0.

    Parameters
    ----------
    written : tuple of Option
        The options as the lesson has them; none where they are taken from the document.
    answer : Ranking, str or None
        Of options from the document, which is right: by a ranking of keys, queries or
        heads, or the name of a step.
    hidden : tuple of str
        The steps that are not shown before the answer.
    """

    kind: ClassVar[str] = "choice"

    written: tuple[Option, ...] = ()
    answer: Ranking | str | None = None
    hidden: tuple[str, ...] = ()

    @property
    def several(self) -> bool:
        """Whether more than one option is to be chosen."""
        return sum(option.right for option in self.written) > 1

    def options(self, document: Document) -> tuple[Option, ...]:
        """Return the options, those of a document with its tokens.

        Raises
        ------
        ValueError
            If the document does not have what is asked for.
        """
        if self.answer is None:
            return self.written
        texts = self._texts(document)
        if isinstance(self.answer, str):
            right = texts.index(self.answer)
        else:
            right = self.answer.best(document)
        feedback = self.answer.other_is if isinstance(self.answer, Ranking) else ""
        return tuple(
            Option(text, k == right, "" if k == right else feedback)
            for k, text in enumerate(texts)
        )

    def _texts(self, document: Document) -> Sequence[str]:
        labels = document.labels
        if isinstance(self.answer, str):
            trace = document.compute()
            return [name for name in trace if trace.stages[name].inputs]
        assert self.answer is not None
        if self.answer.among == "heads":
            return [f"H{head}" for head in range(document.spec.n_heads)]
        axis = self.answer.among
        tokens = labels.of(axis)
        return [distinct_label(axis, labels, k) for k in range(len(tokens))]

    def hide(self, document: Document) -> frozenset[str]:
        return frozenset(self.hidden)

    def check_fit(self, document: Document) -> None:
        trace = document.compute()
        for name in self.hidden:
            matrix_of(trace, name)
        if isinstance(self.answer, str) and self.answer not in self._texts(document):
            raise ValueError(
                f"The 'answer' must be one of {', '.join(self._texts(document))}. "
                f"Got '{self.answer}' instead."
            )
        self.options(document)

    def _verdict(self, situation: Situation, answer: Any) -> Verdict:
        options = self.options(situation.document)
        chosen = _chosen(answer, len(options))
        if not chosen:
            return Verdict(False, 0.0, "Nothing is chosen yet.")
        wanted = {k for k, option in enumerate(options) if option.right}
        remarks = [options[k].feedback for k in chosen if options[k].feedback]
        hits, misses = len(wanted & chosen), len(chosen - wanted)
        share = max(0.0, (hits - misses) / len(wanted))
        if chosen < wanted:
            remarks.append("There is more to choose.")
        return Verdict(chosen == wanted, share, " ".join(remarks))

    def solution(self, situation: Situation) -> tuple[int, ...]:
        options = self.options(situation.document)
        return tuple(k for k, option in enumerate(options) if option.right)


def _chosen(answer: Any, count: int) -> set[int]:
    """Return the chosen options, without what is none."""
    if isinstance(answer, str) or not isinstance(answer, Sequence | set | frozenset):
        return set()
    return {k for k in answer if type(k) is int and 0 <= k < count}
