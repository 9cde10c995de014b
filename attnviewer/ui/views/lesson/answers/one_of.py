"""Answers that are chosen among options."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.options import Options


class OptionsAnswer(Answer):
    """Buttons, one or several of which are the answer.

    Parameters
    ----------
    texts : sequence of str
        The options, in Markdown.
    parent : QWidget
        The Qt parent.
    several : bool
        Whether more than one can be chosen.
    """

    def __init__(
        self, texts: Sequence[str], parent: QWidget, *, several: bool = False
    ) -> None:
        super().__init__(parent)
        self.options = Options(texts, self, several=several)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.options)

    def enter(self) -> None:
        self.options.enter()

    def press_enter(self) -> bool:
        return self.options.choose_focused()

    def restyle(self) -> None:
        self.options.restyle()


class OneOf(OptionsAnswer):
    """Buttons for names, one of which is the answer.

    Parameters
    ----------
    names : sequence of str
        The names, as the task takes them.
    texts : sequence of str
        Their texts, in Markdown.
    unanswered : str
        The message where none is chosen.
    parent : QWidget
        The Qt parent.
    """

    def __init__(
        self,
        names: Sequence[str],
        texts: Sequence[str],
        unanswered: str,
        parent: QWidget,
    ) -> None:
        super().__init__(texts, parent)
        self.names = tuple(names)
        self._unanswered = unanswered

    @property
    def answer(self) -> Any:
        chosen = self.options.chosen
        return self.names[chosen[0]] if chosen else None

    @property
    def missing(self) -> str:
        return "" if self.options.chosen else self._unanswered

    def show_standing(self, standing: Standing) -> None:
        answer = standing.answer
        chosen = [self.names.index(answer)] if answer in self.names else []
        self.options.choose(chosen)
        verdict = standing.verdict
        self.options.mark(
            {} if verdict is None else dict.fromkeys(chosen, verdict.right)
        )
        self.options.set_locked(locked=standing.finished)
