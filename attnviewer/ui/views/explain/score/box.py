"""The section of the Explain dock about a score of a model's head."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.score_split import ScoreSplit
from attnviewer.ui.views.explain.score.matrix import TermMatrix
from attnviewer.ui.views.explain.score.pair_list import PairList
from attnviewer.ui.views.explain.score.texts import TwoTokens, summary
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.labels import note


class ScoreBox(QWidget):
    """Shows what a score is the sum of, which is computed only while that is seen.

    Attributes
    ----------
    toggle : QToolButton
        Opens and closes the section.
    pairs : PairList
        The largest terms.
    matrix : TermMatrix
        All terms.
    """

    followed = Signal(object)
    """Where a link leads: a `Goal`."""

    def __init__(
        self,
        split: ScoreSplit,
        engine: Engine,
        appearance: Appearance,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explain.score")
        self._split, self._engine, self._appearance = split, engine, appearance
        self._in_front = False
        self.toggle = QToolButton()
        self.toggle.setObjectName("explain.score.toggle")
        self.toggle.setText(self.tr("Why this score"))
        self.toggle.setToolTip(
            self.tr("Split the score over what earlier parts of the model wrote")
        )
        self.toggle.setCheckable(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._kind = ElidedLabel("explain.score.kind", Qt.TextElideMode.ElideRight)
        self._note = note("explain.score.note")
        self.pairs = PairList()
        self.matrix = TermMatrix(appearance)
        row = QHBoxLayout()
        row.addWidget(self.toggle)
        row.addWidget(self._kind, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(row)
        for widget in (self._note, self.pairs, self.matrix):
            layout.addWidget(widget)
        for links in (self.pairs, self.matrix):
            links.chosen.connect(self.followed, Qt.ConnectionType.QueuedConnection)
        self.toggle.toggled.connect(self._on_toggled)
        split.changed.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    @Slot(bool)
    def set_in_front(self, in_front: bool) -> None:
        """Follow whether the dock is shown, and not behind another one."""
        self._in_front = in_front
        self._update_wanted()

    @Slot()
    def refresh(self) -> None:
        """Show the newest split, or why there is none."""
        split, is_open = self._split, self.toggle.isChecked()
        parts = split.parts
        self.setVisible(split.applies)
        self._kind.setText(self.tr("computing…") if is_open and split.computing else "")
        self._note.setVisible(is_open and (parts is not None or bool(split.trouble)))
        for widget in (self.pairs, self.matrix):
            widget.setVisible(is_open and parts is not None)
        if split.computing:
            return
        if parts is None:
            self._note.setText(split.trouble)
            return
        tokens = TwoTokens.of(parts, self._engine.current.labels)
        self._note.setText(summary(parts))
        self.pairs.show_parts(parts, tokens)
        self.matrix.show_parts(parts, tokens)

    @Slot()
    def _on_toggled(self) -> None:
        self._restyle()
        self._update_wanted()
        self.refresh()

    def _update_wanted(self) -> None:
        self._split.set_wanted(self._in_front and self.toggle.isChecked())

    @Slot()
    def _restyle(self) -> None:
        is_open = self.toggle.isChecked()
        arrow = Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow
        self.toggle.setArrowType(arrow)
        self.pairs.set_theme(self._appearance.theme)
