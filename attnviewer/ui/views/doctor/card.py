"""One finding in the Doctor panel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.widgets.push_button import push_button

if TYPE_CHECKING:
    from attnviewer.compute.mistakes.mistake import Remedy


@dataclass(frozen=True, slots=True)
class Action:
    """A button of a card.

    Parameters
    ----------
    name : str
        The end of its object name.
    text : str
        Its text.
    do : callable
        What it does.
    """

    name: str
    text: str
    do: Callable[[], None]


class Card(QFrame):
    """A title with texts, lines of code and buttons below it.

    Every text can be selected with the mouse and copied.

    Parameters
    ----------
    title : str
        The title.
    parent : QWidget
        The panel.
    """

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("doctor.card")
        self.setAccessibleName(title)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 8, 10, 10)
        self._layout.setSpacing(6)
        self.add_text(title, "heading")

    def add_text(self, text: str, role: str = "") -> None:
        """Add a paragraph; nothing for an empty one.

        Parameters
        ----------
        text : str
            The paragraph.
        role : str
            ``heading`` or ``muted``, which the style sheet selects by; empty for none.
        """
        if text:
            self._layout.addWidget(text_label(text, role, self))

    def add_code(self, library: str, code: "Remedy") -> None:
        """Add the line that usually makes the mistake, and its correction."""
        self._layout.addWidget(_Code(library, code, self))

    def add_actions(self, actions: Sequence[Action]) -> None:
        """Add a row of buttons."""
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        for action in actions:
            name = f"doctor.{action.name}"
            row.addWidget(push_button(name, action.text, action.do, self))
        row.addStretch()
        self._layout.addLayout(row)


class _Code(QFrame):
    """The usual line of code and the right one, with a button that copies that."""

    def __init__(self, library: str, code: "Remedy", parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("doctor.code")
        self._right = code.right
        name = text_label(library, "muted", self)
        copy = QPushButton(self.tr("Copy"), self)
        copy.setObjectName("doctor.copy")
        copy.setAccessibleName(
            self.tr("Copy the right line for {library}").format(library=library)
        )
        copy.setToolTip(copy.accessibleName())
        copy.clicked.connect(self._copy)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(name, 1)
        top.addWidget(copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 6)
        layout.setSpacing(2)
        layout.addLayout(top)
        for sign, line, kind in (
            ("×", code.wrong, self.tr("wrong")),
            ("✓", code.right, self.tr("right")),
        ):
            label = text_label(f"{sign} {line}", "code", self)
            label.setAccessibleName(f"{kind}: {line}")
            layout.addWidget(label)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._right)


def text_label(text: str, role: str, parent: QWidget) -> QLabel:
    """Return a paragraph whose text can be selected; see `Card.add_text`."""
    label = QLabel(text, parent)
    if role:
        label.setProperty(role, True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
