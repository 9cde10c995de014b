"""The actions that set and clear the baseline, and their button."""

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.baseline import BaselineModel
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.named_button import NamedButton
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.tool_tips import plain_tip

PIN = "⚑"
"""The symbol in a narrow window."""


class Pinning(QObject):
    """Sets the present state as the baseline, and clears it.

    Attributes
    ----------
    pin, unpin : QAction
        The actions.
    """

    def __init__(self, baseline: BaselineModel, window: QWidget) -> None:
        super().__init__(window)
        self._baseline = baseline
        pin, unpin = self.tr("Set &baseline"), self.tr("&Clear baseline")
        self.pin = make_action(window, ActionRow("pin", pin, self._pin, "Ctrl+B"))
        self.unpin = make_action(
            window, ActionRow("unpin", unpin, self._unpin, "Ctrl+Shift+B")
        )
        baseline.changed.connect(self._update)
        self._update()

    @property
    def actions(self) -> list[QAction]:
        """The actions, for a menu."""
        return [self.pin, self.unpin]

    def _pin(self, _data: object) -> None:
        commit_pending_input()
        self._baseline.pin()

    def _unpin(self, _data: object) -> None:
        self._baseline.unpin()

    @Slot()
    def _update(self) -> None:
        self.unpin.setEnabled(self._baseline.pinned is not None)


class PinButton(NamedButton):
    """Sets the present state as the baseline, and shows when that was done."""

    def __init__(
        self, pinning: Pinning, baseline: BaselineModel, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("button.pin")
        self._keys = pinning.pin.shortcut().toString(
            QKeySequence.SequenceFormat.NativeText
        )
        self._baseline = baseline
        self._named = True
        self.clicked.connect(pinning.pin.trigger)
        baseline.changed.connect(self._update)
        self._update()

    def show_name(self, *, named: bool) -> None:
        """Show the name and the time of the baseline, or only a symbol."""
        self._named = named
        self._update()

    @Slot()
    def _update(self) -> None:
        pinned, time = self._baseline.pinned, self._baseline.pinned_at
        self.setAccessibleName(self.tr("Set the present state as the baseline"))
        if pinned is None:
            self.setText(self.tr("Set baseline") if self._named else PIN)
            tip = self.tr(
                "Set the present state as the baseline, to compare later ones with it: "
                "{keys}"
            )
            self.setToolTip(tip.format(keys=self._keys))
            return
        text = self.tr("Baseline {time}") if self._named else f"{PIN} {{time}}"
        self.setText(text.format(time=time).strip())
        tip = self.tr(
            "{title}. Set the present state as the baseline: {keys}. Earlier ones "
            "stay in list A of the Difference view."
        )
        self.setToolTip(plain_tip(tip.format(title=pinned.title, keys=self._keys)))
