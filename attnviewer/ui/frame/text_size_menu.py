"""The menu for the text size."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.paint.appearance import SYSTEM_SIZE, TEXT_SIZES, Appearance
from attnviewer.ui.widgets.actions import ActionRow, fill_choice, make_action


class TextSizeMenu(QMenu):
    """Offers text sizes, and shortcuts to the next larger and smaller one."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Text si&ze"))
        self._appearance = appearance
        choose = appearance.set_text_size
        rows = [
            ActionRow(
                f"text_size.{size}",
                self.tr("{percent} %").format(percent=size),
                choose,
                data=size,
            )
            for size in TEXT_SIZES
        ]
        self._sizes = fill_choice(self, rows)
        self.addSeparator()
        for name, title, keys, by in (
            ("larger", self.tr("&Larger"), ["Ctrl++", "Ctrl+="], 1),
            ("smaller", self.tr("&Smaller"), ["Ctrl+-"], -1),
        ):
            step = ActionRow(f"text_size.{name}", title, self._step, data=by)
            action = make_action(self, step)
            action.setShortcuts([QKeySequence(each) for each in keys])
            self.addAction(action)
        whole = self.tr("Same as s&ystem")
        as_system = ActionRow("text_size.system", whole, choose, "Ctrl+0", SYSTEM_SIZE)
        self.addAction(make_action(self, as_system))
        self.aboutToShow.connect(self._check)

    def _step(self, by: int) -> None:
        present = self._appearance.text_size
        beyond = [size for size in TEXT_SIZES if (size - present) * by > 0]
        if beyond:
            self._appearance.set_text_size(min(beyond) if by > 0 else max(beyond))

    @Slot()
    def _check(self) -> None:
        for action in self._sizes.actions():
            action.setChecked(action.data() == self._appearance.text_size)
