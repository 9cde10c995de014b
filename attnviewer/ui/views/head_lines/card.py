"""The chosen head in numbers, below its lines."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.views.head_lines.texts import TOP
from attnviewer.ui.widgets.elided_label import ElidedLabel


class HeadNumbers(QWidget):
    """Shows how a head compares with the others, and what a query attends to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lines.numbers")
        self.setAccessibleName(self.tr("The head in numbers"))
        self._title = QLabel(self)
        self._title.setObjectName("lines.numbers.title")
        self._compared = ElidedLabel("lines.numbers.compared")
        self._compared.setText(self.tr("compared with the layer"))
        heading = QHBoxLayout()
        heading.addWidget(self._title)
        heading.addWidget(self._compared, 1)
        self._box = QFrame(self)
        self._box.setObjectName("lines.numbers.box")
        self._statistics = self._line("lines.numbers.statistics")
        self._query = self._line("lines.numbers.query")
        self._keys = [
            (ElidedLabel(f"lines.numbers.key.{index}"), QLabel(self._box))
            for index in range(TOP)
        ]
        rows = QGridLayout()
        rows.setContentsMargins(self.fontMetrics().averageCharWidth() * 2, 0, 0, 0)
        for index, (key, weight) in enumerate(self._keys):
            key.setAlignment(Qt.AlignmentFlag.AlignLeft)
            key.setProperty("muted", False)
            weight.setObjectName(f"lines.numbers.weight.{index}")
            rows.addWidget(key, index, 0)
            rows.addWidget(weight, index, 1)
        rows.setColumnStretch(0, 1)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(8, 6, 8, 6)
        inside.setSpacing(3)
        inside.addWidget(self._statistics)
        inside.addWidget(self._query)
        inside.addLayout(rows)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 12)
        column.setSpacing(5)
        column.addLayout(heading)
        column.addWidget(self._box)

    def show_head(self, title: str, statistics: list[str], *, compared: bool) -> None:
        """Show the numbers of a head.

        Parameters
        ----------
        title : str
            The title of the head.
        statistics : list of str
            Its numbers, in lines.
        compared : bool
            Whether those of the other heads are beside them.
        """
        self._title.setText(title)
        self._compared.setVisible(compared)
        self._statistics.setText("\n".join(statistics))
        self._describe()

    def show_query(self, heading: str, keys: list[tuple[str, str]]) -> None:
        """Show what a query attends to: at most `TOP` keys with their weights."""
        self._query.setText(heading)
        for index, (name, weight) in enumerate(self._keys):
            there = index < len(keys)
            for label, text in zip(
                (name, weight), keys[index] if there else ("", ""), strict=True
            ):
                label.setText(text)
                label.setVisible(there)
        self._describe()

    def _describe(self) -> None:
        """Set the text for screen readers."""
        keys = (f"{key.text()} {weight.text()}" for key, weight in self._keys)
        described = [self._statistics.text(), self._query.text(), *keys]
        self.setAccessibleDescription("\n".join(line.strip() for line in described))

    def _line(self, name: str) -> QLabel:
        label = QLabel(self._box)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label
