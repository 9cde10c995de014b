"""Options beside each other or below, of which one or several are chosen."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.typeset_text import TypesetText


class Options(QWidget):
    """A button for each option, with its text typeset beside it.

    Parameters
    ----------
    texts : sequence of str
        The options, in Markdown.
    parent : QWidget
        The Qt parent.
    several : bool
        Whether more than one can be chosen.

    Attributes
    ----------
    changed : Signal
        The learner has chosen.
    """

    changed = Signal()

    def __init__(
        self, texts: Sequence[str], parent: QWidget, *, several: bool = False
    ) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.options")
        # Of radio buttons only: in a group, Tab would pass over unticked boxes.
        self._group = QButtonGroup(self)
        self._options: list[QAbstractButton] = []
        self._texts: list[TypesetText] = []
        self._marks: list[QLabel] = []
        self._buttons: dict[QObject, QAbstractButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for number, text in enumerate(texts):
            column.addWidget(self._row(number, text, several=several))
        self._fit_marks()

    @property
    def chosen(self) -> tuple[int, ...]:
        """The numbers of the chosen options."""
        buttons = self._options
        return tuple(n for n, button in enumerate(buttons) if button.isChecked())

    def choose(self, numbers: Sequence[int]) -> None:
        """Choose options, without a signal."""
        self._group.setExclusive(False)
        for number, button in enumerate(self._options):
            button.setChecked(number in numbers)
        self._group.setExclusive(True)

    def mark(self, signs: dict[int, bool]) -> None:
        """Mark options as right or wrong; the others not."""
        for number, label in enumerate(self._marks):
            right = signs.get(number)
            words = {True: self.tr("right"), False: self.tr("not right")}
            text = "" if right is None else ("✓" if right else "✕")
            label.setText(text)
            label.setAccessibleName("" if right is None else words[right])
            mark = "" if right is None else ("right" if right else "wrong")
            set_styled(label, "mark", mark)
            button = self._options[number]
            text = self._texts[number].text
            button.setAccessibleName(
                text if right is None else f"{text}, {words[right]}"
            )

    def set_locked(self, *, locked: bool) -> None:
        """Let options be chosen, or only be seen."""
        for button in self._options:
            button.setEnabled(not locked)

    def enter(self) -> None:
        """Give the focus to the chosen option, or to the first."""
        chosen = (button for button in self._options if button.isChecked())
        button = next(chosen, self._options[0])
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_focused(self) -> bool:
        """Choose the option that has the focus; return whether it was not yet."""
        focused = self.focusWidget()
        for button in self._options:
            if button is focused and not button.isChecked() and button.isEnabled():
                button.click()
                return True
        return False

    def restyle(self) -> None:
        """Follow another theme or text size."""
        for text in self._texts:
            text.restyle()
            self._watch(text)
        self._fit_marks()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A click on the text is one on its button.
        if (
            event.type() == QEvent.Type.MouseButtonRelease
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
            and event.button() == Qt.MouseButton.LeftButton
            and watched.rect().contains(event.position().toPoint())
        ):
            button = self._buttons[self._texts_of(watched)]
            if button.isEnabled():
                button.setFocus(Qt.FocusReason.MouseFocusReason)
                button.click()
        return super().eventFilter(watched, event)

    @staticmethod
    def _texts_of(watched: QObject) -> QObject:
        while not isinstance(watched, TypesetText):
            parent = watched.parent()
            assert parent is not None
            watched = parent
        return watched

    def _row(self, number: int, text: str, *, several: bool) -> QWidget:
        around = QWidget(self)
        button = (QCheckBox if several else QRadioButton)(around)
        button.setObjectName(f"lesson.option.{number}")
        if not several:
            self._group.addButton(button, number)
        self._options.append(button)
        button.clicked.connect(self.changed)
        label = TypesetText("lesson.option.text", around)
        label.show_text(text)
        button.setAccessibleName(label.text)
        mark = QLabel(around)
        mark.setObjectName("lesson.mark")
        row = QHBoxLayout(around)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        self._texts.append(label)
        self._marks.append(mark)
        self._buttons[label] = button
        self._watch(label)
        return around

    def _fit_marks(self) -> None:
        # Room for the sign from the start: nothing moves when it comes.
        for mark in self._marks:
            mark.setFixedWidth(self.fontMetrics().height())

    def _watch(self, text: TypesetText) -> None:
        for part in text.findChildren(QWidget):
            part.installEventFilter(self)
            part.setCursor(Qt.CursorShape.PointingHandCursor)
