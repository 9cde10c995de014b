"""Descriptions for screen readers of widgets that Qt does not describe correctly.

PySide's types do not tell that Qt takes None for no interface.
"""

from functools import cache, partial
from typing import Protocol, cast

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleStateChangeEvent,
    QAccessibleValueInterface,
)
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget
from shiboken6 import isValid

_PRESS = QAccessibleActionInterface.pressAction()


@cache
def install_descriptions() -> None:
    """Let widgets with a method `described` describe themselves, from now on."""
    QAccessible.installFactory(_describe)


def _describe(_class: str, thing: QObject) -> QAccessibleInterface | None:
    described = getattr(thing, "described", None)
    return cast("QAccessibleInterface", described()) if described is not None else None


class DescribedTabs(QAccessibleWidget):
    """A widget with tabs."""

    def __init__(self, tabs: QWidget) -> None:
        super().__init__(tabs, QAccessible.Role.PageTabList)


class _DescribedButton(QAccessibleWidget):
    """A button with another role than its own."""

    role_of: QAccessible.Role

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button, self.role_of)

    def actionNames(self) -> list[str]:
        return [_PRESS, *super().actionNames()]

    def doAction(self, name: str) -> None:
        if name == _PRESS:
            self._button().click()
        else:
            super().doAction(name)

    def _button(self) -> QAbstractButton:
        return cast("QAbstractButton", self.widget())


class DescribedTab(_DescribedButton):
    """A button that opens one of several things, and is checked while it is open."""

    role_of = QAccessible.Role.PageTab

    def state(self) -> QAccessible.State:
        state = super().state()
        state.selectable = True
        state.selected = self._button().isChecked()
        return state


class DescribedRadio(_DescribedButton):
    """One of several buttons of which one is checked: Qt takes them for check boxes."""

    role_of = QAccessible.Role.RadioButton

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return super().text(kind) or self._button().text()
        return super().text(kind)

    def state(self) -> QAccessible.State:
        state = super().state()
        state.checkable = True
        state.checked = self._button().isChecked()
        return state


def announce_selected(tab: QAbstractButton) -> None:
    """Tell screen readers whether a tab is selected, once that has changed."""
    if QAccessible.isActive():
        state = QAccessible.State()
        state.selected = True
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(tab, state))


class Measured(Protocol):
    """A widget whose place stands for a number."""

    @property
    def number(self) -> float:
        """The number."""

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers at its ends."""

    @property
    def number_text(self) -> str:
        """The number and its meaning."""

    def choose_number(self, number: float) -> None:
        """Go to the place of a number, as a person would."""


class DescribedSlider(QAccessibleWidget, QAccessibleValueInterface):
    """A slider with the number that it stands for, rather than its position."""

    def __init__(self, slider: QWidget) -> None:
        QAccessibleWidget.__init__(self, slider, QAccessible.Role.Slider)
        QAccessibleValueInterface.__init__(self)

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Value:
            return self._slider().number_text
        return super().text(kind)

    def interface_cast(  # type: ignore[override]
        self, kind: QAccessible.InterfaceType
    ) -> object:
        if kind == QAccessible.InterfaceType.ValueInterface:
            return self
        return super().interface_cast(kind)

    def currentValue(self) -> float:
        return self._slider().number

    def minimumValue(self) -> float:
        return self._slider().ends[0]

    def maximumValue(self) -> float:
        return self._slider().ends[1]

    def minimumStepSize(self) -> float:
        return 0.0  # none that is the same everywhere

    def setCurrentValue(self, value: object) -> None:
        self._slider().choose_number(float(cast("float", value)))

    def _slider(self) -> Measured:
        return cast("Measured", self.widget())


class Linking(Protocol):
    """A widget with links."""

    def accessibleDescription(self) -> str:
        """Return its description besides its text."""

    @property
    def link_texts(self) -> list[str]:
        """The text of each link."""

    @property
    def current_link(self) -> int:
        """The link with the focus; −1 for none."""

    def link_rect(self, number: int) -> QRect:
        """Return where a link is in the widget."""

    def follow(self, number: int) -> None:
        """Follow a link."""


class DescribedLinks(QAccessibleWidget):
    """A text with links, each of which is a child."""

    def __init__(self, text: QWidget) -> None:
        super().__init__(text, QAccessible.Role.StaticText)
        self._links: list[_DescribedLink] = []
        # Links are no objects that Qt could see the end of.
        self._numbers: list[int] = []
        text.destroyed.connect(partial(_forget, self._numbers))

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Description:
            # Qt would not ask the method of a Python class.
            return cast("Linking", self.widget()).accessibleDescription()
        return super().text(kind)

    def childCount(self) -> int:
        return len(cast("Linking", self.widget()).link_texts)

    def child(  # type: ignore[override]
        self, index: int
    ) -> QAccessibleInterface | None:
        if not 0 <= index < self.childCount():
            return None
        while len(self._links) <= index:
            link = _DescribedLink(self.widget(), len(self._links))
            self._links.append(link)
            self._numbers.append(QAccessible.registerAccessibleInterface(link))
        return self._links[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.number if isinstance(child, _DescribedLink) else -1

    def childAt(  # type: ignore[override]
        self, x: int, y: int
    ) -> QAccessibleInterface | None:
        for index in range(self.childCount()):
            child = self.child(index)
            if child is not None and child.rect().contains(x, y):
                return child
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        current = cast("Linking", self.widget()).current_link
        return self.child(current) if current >= 0 else None


def _forget(numbers: list[int], *_gone: object) -> None:
    for number in numbers:
        QAccessible.deleteAccessibleInterface(number)
    numbers.clear()


class _DescribedLink(QAccessibleInterface, QAccessibleActionInterface):
    """The link of a number in a text, whatever it is by now."""

    def __init__(self, text: QWidget, number: int) -> None:
        QAccessibleInterface.__init__(self)
        QAccessibleActionInterface.__init__(self)
        self._text = text
        self.number = number

    def isValid(self) -> bool:
        return isValid(self._text) and self.number < len(self._linking().link_texts)

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._text)

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> None:  # type: ignore[override]
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Link

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.invalid = not self.isValid()
        if not state.invalid:
            state.linked = state.focusable = True
            state.invisible = not self._text.isVisible()
            state.focused = self._linking().current_link == self.number
        return state

    def text(self, kind: QAccessible.Text) -> str:
        named = kind == QAccessible.Text.Name and self.isValid()
        return self._linking().link_texts[self.number] if named else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Do nothing: its text is read-only."""

    def rect(self) -> QRect:
        if not self.isValid():
            return QRect()
        rect = self._linking().link_rect(self.number)
        return QRect(self._text.mapToGlobal(rect.topLeft()), rect.size())

    def interface_cast(  # type: ignore[override]
        self, kind: QAccessible.InterfaceType
    ) -> object:
        if kind == QAccessible.InterfaceType.ActionInterface:
            return self
        return super().interface_cast(kind)

    def actionNames(self) -> list[str]:
        return [_PRESS]

    def doAction(self, name: str) -> None:
        if name == _PRESS and self.isValid():
            self._linking().follow(self.number)

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []

    def object(self) -> None:  # type: ignore[override]
        return None

    def _linking(self) -> Linking:
        return cast("Linking", self._text)


def announce_description(text: QWidget) -> None:
    """Tell screen readers that a text has another description."""
    if QAccessible.isActive():
        event = QAccessibleEvent(text, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)


def announce_focused(text: QWidget, link: int) -> None:
    """Tell screen readers that a link of a text has the focus."""
    if QAccessible.isActive():
        event = QAccessibleEvent(text, QAccessible.Event.Focus)
        event.setChild(link)
        QAccessible.updateAccessibility(event)
