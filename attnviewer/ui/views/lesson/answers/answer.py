"""The base class of widgets in which tasks are answered."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.lesson import Standing


class Answer(QWidget):
    """A widget in which a task is answered.

    Attributes
    ----------
    changed : Signal
        The learner has changed the answer.
    done : Signal
        The learner asks, by a key, for the answer to be checked.
    """

    changed = Signal()
    done = Signal()

    checkable = True
    """Whether an answer is checked when the learner asks for it."""

    @property
    def answer(self) -> Any:
        """The answer as it stands, as the task takes it; None for nothing yet."""
        # Not an ABC: its metaclass does not combine with that of Qt classes.
        raise NotImplementedError

    @property
    def missing(self) -> str:
        """The rest to be done before the answer can be checked; "" for nothing."""
        return ""

    def show_standing(self, standing: Standing) -> None:
        """Show an answer, and the verdict on it."""
        raise NotImplementedError

    def enter(self) -> None:
        """Give the focus to where the answer begins."""
        raise NotImplementedError

    def press_enter(self) -> bool:
        """Do what Enter does here; return False if that is nothing."""
        return False

    def commit(self) -> None:
        """Take what is being typed."""

    def restyle(self) -> None:
        """Follow another theme or text size."""
