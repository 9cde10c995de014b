"""The operation between two steps."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.compute import Spec
from attnviewer.ui.text.concepts import concepts_of, tip, what_is
from attnviewer.ui.widgets.tool_tips import plain_tip

WIDEST = 12
"""Approximate characters per line."""
MOST_LINES = 4


class Arrow(QLabel):
    """Names the operation that leads to the next steps, on a few short lines."""

    def __init__(self, steps: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"flow.to.{steps[0]}")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._steps = steps
        self._operation = ""
        self._spec: Spec | None = None
        self._alone = False

    def say(self, operation: str, spec: Spec) -> None:
        """Show the operation; the tip has it in full, with the steps it leads to."""
        if (operation, spec) == (self._operation, self._spec):
            return
        self._operation, self._spec = operation, spec
        concepts = [c for step in self._steps for c in concepts_of(step, spec)]
        self.setToolTip(plain_tip(f"{operation}\n{tip(concepts)}"))
        self.setWhatsThis(what_is(operation, *concepts))
        self._write()

    def set_alone(self, alone: bool) -> None:
        """Show the name only in the tip, if there is no room for several lines."""
        if alone != self._alone:
            self._alone = alone
            self._write()

    def _write(self) -> None:
        metrics = self.fontMetrics()
        width = WIDEST * metrics.averageCharWidth()
        lines = [] if self._alone else wrapped(self._operation, metrics, width)
        self.setText("\n".join([*lines, "→"]))


def wrapped(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Wrap a text at word boundaries into lines of about a width.

    The last permitted line ends in an ellipsis if the text is longer.
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        # Never break after an operator.
        alone = lines[-1] in ("", "+", "×", "÷")
        if alone or metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} …"]
    return lines
