"""Boxes of the Explain dock that are updated when they come into sight."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.work.debounced_worker import PAUSE


class DeferredBoxes(QObject):
    """Updates the boxes in sight at once, and the others after a pause."""

    def __init__(self, updated: Callable[[], None], dock: QWidget) -> None:
        super().__init__(dock)
        self._dock, self._updated = dock, updated
        self._due: dict[QWidget, Callable[[], None]] = {}
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.update_all)

    def add(self, box: QWidget, update: Callable[[], None]) -> None:
        """Have a box updated, at the latest after a pause."""
        self._due[box] = update
        self._pause.start()

    @Slot()
    def update_seen(self) -> None:
        """Update the boxes that have become visible."""
        while any(map(_is_seen, self._due)):
            # A hidden box may have to be shown.
            self._update([b for b in self._due if b.isHidden() or _is_seen(b)])

    @Slot()
    def update_all(self) -> None:
        """Update all boxes that are due, unless the dock is hidden."""
        self._pause.stop()
        if self._dock.isVisible():
            self._update(list(self._due))

    def update_now(self, box: QWidget) -> None:
        """Update a box that is hidden or in sight."""
        if box.isHidden() or _is_seen(box):
            self._update([box])

    def _update(self, boxes: Sequence[QWidget]) -> None:
        # All of them first: showing one may bring the next into view.
        for update in [self._due.pop(box) for box in boxes]:
            update()
        if not self._due:
            self._pause.stop()
        self._updated()


def _is_seen(box: QWidget) -> bool:
    return not box.visibleRegion().isEmpty()
