"""The two menus beside a matrix's title: fills and random draws."""

from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from attnviewer.document import Document
from attnviewer.document.drawing.draws import is_edited, last_draw
from attnviewer.ui.views.inputs.fills.commands import FillCommands
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.tool_tips import plain_tip

MOST_LINES = 12
"""The most lines of Python in a tool tip; copying takes all."""


class FillButtons(QWidget):
    """Fill menus of a whole matrix; the second one shows the seed of its draw.

    They are not Tab stops, as Tab belongs to the tables: the Edit menu has the same
    commands.
    """

    def __init__(self, commands: FillCommands, matrix: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._commands = commands
        self._matrix = matrix
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._fill = self._button("fill", commands.fill_menu(matrix, self))
        self._fill.setText(self.tr("fill"))
        self._fill.setAccessibleName(self.tr("Fill {matrix}").format(matrix=matrix))
        self._random = self._button("random", commands.random_menu(matrix, self))

    def show_draw(self, document: Document) -> None:
        """Show how the matrix was drawn, if it was."""
        found = last_draw(document, self._matrix)
        name = self.tr("Draw {matrix} at random").format(matrix=self._matrix)
        if found is None:
            self._set_texts(self.tr("random"), name, name)
            return
        recipe, draw = found
        edited = is_edited(document, self._matrix)
        text = self.tr("seed {seed}").format(seed=recipe.seed)
        description = f"{text} · {draw.distribution.title}"
        if edited:
            text += "*"
            description = self.tr("{draw} · edited since").format(draw=description)
        elif edited is None:
            text += "?"
            description = self.tr("{draw} · too large to check for later edits").format(
                draw=description
            )
        lines = list(islice(self._commands.drawn_by(self._matrix), MOST_LINES + 1))
        if len(lines) > MOST_LINES:
            lines[MOST_LINES:] = ["…"]
        self._set_texts(
            text, f"{name}: {description}", "\n".join([description, "", *lines])
        )

    def _set_texts(self, text: str, name: str, tip: str) -> None:
        self._random.setText(text)
        self._random.setAccessibleName(name)
        self._random.setToolTip(plain_tip(tip))

    def _button(self, name: str, menu: QMenu) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"{name}.{self._matrix}")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu.aboutToShow.connect(commit_pending_input)
        button.setMenu(menu)
        self._row.addWidget(button)
        return button
