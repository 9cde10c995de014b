"""A caption that becomes a symbol where there is little room."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QWidget


class CompactCaption(QLabel):
    """A caption with a short form, such as *Temperature* and *T*.

    Parameters
    ----------
    long, short : str
        Its texts.
    parent : QWidget
        The Qt parent.
    """

    def __init__(self, long: str, short: str, parent: QWidget) -> None:
        super().__init__(long, parent)
        self._long, self._short = long, short
        self.setProperty("muted", True)
        self.setToolTip(long)

    @property
    def spare(self) -> int:
        """The width that the short form saves, in pixels."""
        measure = self.fontMetrics().horizontalAdvance
        return measure(self._long) - measure(self._short)

    @property
    def given(self) -> int:
        """The width that the caption has given up by now, in pixels."""
        return self.spare if self.text() == self._short else 0

    def set_short(self, *, short: bool) -> None:
        """Write the short or the long form."""
        text = self._short if short else self._long
        if text != self.text():
            self.setText(text)

    def sizeHint(self) -> QSize:
        # Exactly `spare` apart.
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
