"""The operation between two steps."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.compute import Spec
from attnviewer.ui.text.concepts import concepts_of, tip, what_is
from attnviewer.ui.widgets.tool_tips import plain_tip

WIDEST = 12
"""Letters of one line, about."""
MOST_LINES = 4


class Arrow(QLabel):
    """Says what leads to the steps after it, on a few short lines."""

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
        """Name the operation; the tip has it in one piece, and what it leads to."""
        if (operation, spec) == (self._operation, self._spec):
            return
        self._operation, self._spec = operation, spec
        concepts = [c for step in self._steps for c in concepts_of(step, spec)]
        self.setToolTip(plain_tip(f"{operation}\n{tip(concepts)}"))
        self.setWhatsThis(what_is(operation, *concepts))
        self._write()

    def set_alone(self, alone: bool) -> None:
        """Leave the name to the tip, where there is no room for several lines."""
        if alone != self._alone:
            self._alone = alone
            self._write()

    def _write(self) -> None:
        metrics = self.fontMetrics()
        width = WIDEST * metrics.averageCharWidth()
        lines = [] if self._alone else wrapped(self._operation, metrics, width)
        self.setText("\n".join([*lines, "→"]))


def wrapped(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Break a text between its words into lines that are about so wide at most.

    The last line there may be ends in an ellipsis if the text goes on.
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        # No line begins with what follows a sign.
        alone = lines[-1] in ("", "+", "×", "÷")
        if alone or metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} …"]
    return lines
