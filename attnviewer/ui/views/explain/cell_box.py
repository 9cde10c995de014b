"""The explained cell: its formula, and the derivation of its numbers below."""

from functools import partial
from operator import is_not

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import Cell, Expression
from attnviewer.compute.formula import shortened
from attnviewer.compute.trace import TERM_LIMIT
from attnviewer.document import Derivation, Worked
from attnviewer.document.derivation import worked_latex
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.formulas.formula_lines import (
    formula_lines,
    formula_text,
    given_lines,
)
from attnviewer.ui.paint.formulas.worked_lines import worked_text
from attnviewer.ui.paint.math import prose
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.views.explain.commands import Commands
from attnviewer.ui.views.explain.derivation import derivation_of
from attnviewer.ui.views.explain.sources_row import sources_row, terms_button
from attnviewer.ui.views.explain.tree import DerivationTree
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.link_box import link_box

TERMS = 3
"""How many terms of a sum are shown at first."""


class CellBox(QWidget):
    """Shows how one cell's number comes about; every number links to its own cell.

    Attributes
    ----------
    formula : LinkBox
        The formula.
    followed : Signal
        The `Cell` of a number that the user follows.
    """

    followed = Signal(object)

    def __init__(self, commands: Commands, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("explain.formula_and_derivation")
        self._commands, self._appearance = commands, appearance
        self._opened: dict[str, Worked] = {}
        self.formula = link_box("explain.formula")
        self.formula.setAccessibleName(self.tr("Formula of the selected cell"))
        # The arrows and the menu beside it must fit even with large texts.
        self._title = ElidedLabel("explain.sources", Qt.TextElideMode.ElideRight)
        self._title.setProperty("heading", True)
        self._title.setProperty("muted", False)
        self._title.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        self._title.setText(self.tr("Derivation"))
        self._tree = DerivationTree()
        for box in (self.formula, self._tree):
            box.followed.connect(self.followed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.formula)
        layout.addSpacing(2)
        self._terms = terms_button(commands, self)  # by Tab, it follows the formula
        layout.addLayout(sources_row(self._title, self._terms, commands, self))
        layout.addWidget(self._tree)

    @property
    def is_empty(self) -> bool:
        """Whether no cell is explained."""
        return self._tree.root is None

    def show_hint(self, hint: str) -> None:
        """Show why nothing is explained."""
        self.formula.show_lines([prose(hint, self._appearance.theme.muted)])
        self.formula.describe(lambda: hint)
        self._tree.show_derivation(None, None)
        for widget in (self._terms, self._title, self._tree):
            widget.hide()

    def show_cell(self, computed: Computed, cell: Cell) -> str:
        """Explain a cell of some steps, and return its name."""
        derivation = derivation_of(computed)
        root = derivation.of(cell, TERM_LIMIT)
        hint = ""
        if root.given:
            self._terms.hide()
            hint = self.tr("input: edit it in the table on the left")
            value = root.formula.value
            lines = given_lines(root.name, value, hint, self._appearance.theme)
        else:
            lines = formula_lines(
                root.formula, self._shown_steps(root), self._appearance.theme
            )
        self.formula.show_lines(lines)
        parts = root.name, root.formula, root.steps, hint
        self.formula.describe(partial(formula_text, *parts))
        self._show_tree(root, derivation)
        return root.name

    def follow(self, computed: Computed) -> None:
        """Work further numbers out from newer steps; those shown are the same."""
        self._tree.follow(derivation_of(computed))

    def forget(self) -> None:
        """Drop what further numbers would be worked out from, while hidden."""
        self._tree.forget()

    def restyle(self) -> None:
        """Lay the derivation out again, for another theme or font."""
        self._tree.restyle()

    def text(self) -> str:
        """Return the explanation with its expanded rows, as plain text."""
        assert self._tree.root is not None
        return worked_text(self._tree.root)

    def latex(self, computed: Computed) -> str:
        """Return the explanation with its expanded rows, as LaTeX."""
        assert self._tree.root is not None
        return worked_latex(self._tree.root, derivation_of(computed, str))

    def _shown_steps(self, root: Worked) -> list[Expression]:
        """Return the steps of a formula, with their largest terms or with all."""
        whole = list(root.steps)
        short = [shortened(step, TERMS) for step in whole]
        self._terms.setVisible(any(map(is_not, short, whole)))
        return whole if self._commands.all_terms.isChecked() else short

    def _show_tree(self, root: Worked, derivation: Derivation) -> None:
        before = self._tree.root
        # Not of one that is shown with its rule alone, as while a mistake is hunted.
        if before is not None and before.cells:
            self._opened[before.cell.step] = before
        opened = self._opened.get(root.cell.step)
        if opened is None:
            derivation.open_first(root)
        else:
            derivation.open_as(root, opened)
        self._tree.show_derivation(root, derivation)
        for widget in (self._title, self._tree):
            widget.setVisible(bool(root.below))
