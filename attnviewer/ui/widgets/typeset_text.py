"""Markdown with formulas, in paragraphs as wide as their column."""

from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.markdown import Paragraph, paragraphs
from attnviewer.ui.paint.math import spoken
from attnviewer.ui.widgets.link_box import LinkBox
from attnviewer.ui.widgets.style_properties import set_styled

INDENT = 1.1
"""How far items of lists are from the left, in heights of a line."""
GAP, APART = 6, 0.4
"""Between lines that belong together, in pixels, and above a paragraph besides, in
heights of a line: the lines of a paragraph are a gap apart, too."""


class TypesetText(QWidget):
    """Shows Markdown; a drag selects within a paragraph, and Ctrl+C copies.

    It is no stop of the Tab key: there is nothing to follow in it.

    Parameters
    ----------
    name : str
        Its object name.
    parent : QWidget
        What it is in.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._markdown = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAP)

    @property
    def text(self) -> str:
        """Its text without markup."""
        return self.accessibleName()

    def show_text(self, markdown: str) -> None:
        """Show another text."""
        self._markdown = markdown
        self.restyle()

    def keep_above(self) -> None:
        """Stand at the top of the room there is, if that is more than needed."""
        self._column.setAlignment(Qt.AlignmentFlag.AlignTop)

    def restyle(self) -> None:
        """Show the same in another theme."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        found = paragraphs(self._markdown, Appearance.theme_in_force())
        for kind, group in groupby(found, lambda paragraph: paragraph.kind):
            # Lines of code stand on one ground.
            parts = list(group)
            for together in [parts] if kind == "code" else [[part] for part in parts]:
                if kind == "paragraph" and self._column.count():
                    apart = round(APART * self.fontMetrics().height())
                    self._column.addSpacing(apart)
                self._column.addWidget(self._line(together))
        self.setAccessibleName(" ".join(spoken(part.node) for part in found))

    def _line(self, together: list[Paragraph]) -> QWidget:
        paragraph = together[0]
        box = text_box(self.objectName(), self)
        box.setProperty("text", paragraph.kind)
        box.show_lines([part.node for part in together])
        box.setAccessibleName(" ".join(spoken(part.node) for part in together))
        if paragraph.kind != "item":
            return box
        around = QWidget(self)
        row = QHBoxLayout(around)
        indent = round(INDENT * self.fontMetrics().height())
        row.setContentsMargins(paragraph.level * indent, 0, 0, 0)
        row.setSpacing(0)
        mark = QLabel(paragraph.mark, around)
        mark.setMinimumWidth(indent)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(box, 1)
        return around


def text_box(name: str, parent: QWidget) -> LinkBox:
    """Return a box of one paragraph, without a frame."""
    box = LinkBox()
    box.setParent(parent)
    box.setObjectName(f"{name}.line")
    set_styled(box, "label", "text")
    box.setWordWrap(True)  # Qt's label forgets otherwise that its height follows
    box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return box
