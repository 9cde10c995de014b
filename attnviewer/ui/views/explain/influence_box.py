"""The inputs with the largest gradients of the selected cell."""

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from attnviewer.compute import Cell
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.math import prose
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.sensitivity import Gradients, Sensitivity
from attnviewer.ui.text.concepts import STATISTICS, what_is
from attnviewer.ui.views.explain.commands import Commands
from attnviewer.ui.views.explain.gradient_bars import GradientBars
from attnviewer.ui.views.explain.influence import (
    gradient_text,
    named,
    strongest_line,
    strongest_text,
)
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.link_box import sunken_links
from attnviewer.ui.widgets.tool_tips import plain_tip


class InfluenceBox(QWidget):
    """Links to the inputs that the selected cell depends on most.

    Shows the previous gradient until a slow one is ready.

    Attributes
    ----------
    box : GradientBars
        Holds the links.
    """

    def __init__(
        self,
        engine: Engine,
        sensitivity: Sensitivity,
        appearance: Appearance,
        commands: Commands,
    ) -> None:
        super().__init__()
        self._engine = engine
        self._sensitivity = sensitivity
        self._appearance = appearance
        self._cell: Cell | None = None
        title = heading("explain.influence.title")
        title.setText(self.tr("What would change it"))
        title.setToolTip(plain_tip(STATISTICS["gradient"].tip))
        self.setWhatsThis(what_is(title.text(), STATISTICS["gradient"]))
        self._kind = ElidedLabel("explain.influence.kind", Qt.TextElideMode.ElideRight)
        self.box = sunken_links(GradientBars(), "explain.influence")
        self.box.setAccessibleName(title.text())
        self._effect = QCheckBox(self.tr("Colour inputs by gradient"))
        self._effect.setObjectName("explain.effect")
        self._effect.setToolTip(
            self.tr("Colours each input by how fast the selected cell changes with it")
        )
        self._effect.toggled.connect(commands.effect.setChecked)
        commands.effect.toggled.connect(self._effect.setChecked)
        self._legend = note("explain.legend")
        sensitivity.shown_changed.connect(self._show_legend)
        row = QHBoxLayout()
        row.addWidget(title)
        row.addWidget(self._kind, 1)
        layout = QVBoxLayout(self)
        # As far below the derivation as that, with its buttons, is below the formula.
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(row)
        for widget in (self.box, self._effect, self._legend):
            layout.addWidget(widget)

    def refresh(self, cell: Cell | None) -> None:
        """Show the strongest inputs of a computed cell; None for no cell."""
        self._cell = cell
        self.setVisible(cell is not None)
        if cell is None:
            return
        gradients = self._sensitivity.read()
        if self._sensitivity.newest:
            self._kind.setText(self.tr("gradient"))
            self._show(gradients)
        else:
            self._kind.setText(self.tr("computing…"))
        self._show_legend()

    def _show(self, gradients: Gradients) -> None:
        computed, theme = self._engine.current, self._appearance.theme
        items = named(computed.trace, computed.labels, gradients.strongest)
        if items:
            numbers = [gradient for _, _, gradient in items]
            self.box.show_gradients(strongest_line(items, theme), numbers)
            self.box.describe(partial(strongest_text, items))
        else:
            none = self._sensitivity.trouble or self._undefined(gradients)
            self.box.show_gradients(prose(none), ())
            self.box.describe(lambda: none)

    def _undefined(self, gradients: Gradients) -> str:
        """Say why no input has a nonzero gradient."""
        if gradients.undefined:
            return self.tr(
                "It has no gradient: NaN or ∞ on the way to it leaves the gradients "
                "of some inputs undefined, and all others are zero."
            )
        return self.tr("No small change of any input moves this cell.")

    @Slot()
    def _show_legend(self) -> None:
        shown = self._sensitivity.shown and self._cell is not None
        if shown:
            reach = gradient_text(self._sensitivity.read().reach)
            text = self.tr(
                "Raising a blue cell raises it, raising a red one lowers it; the "
                "deepest colour is a gradient of ±{reach}."
            )
            self._legend.setText(text.format(reach=reach.removeprefix("+")))
        self._legend.setVisible(shown)
