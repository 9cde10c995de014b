"""The arrangement of the window for a model: its heads in place of the inputs."""

from PySide6.QtCore import QTimer, Slot

from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.model import ModelFeature
from attnviewer.ui.features.presentation import PresentationFeature
from attnviewer.ui.features.sentence_ribbon import SentenceRibbonFeature
from attnviewer.ui.frame.frame import Feature
from attnviewer.ui.paint.fonts import usual_line

DOCUMENT, LAYER, HEAD = "document", "layer", "head"
"""The kinds of documents: no model, a layer of one, or a head to be edited."""
LINES = {DOCUMENT: 2, LAYER: 2, HEAD: 1}
"""Lines of the sentence in sight: beside the strip there is less room."""
LOW = 38
"""Lines of text below which a window is low, and has one line of the sentence."""


class ModelWorkspaceFeature(Feature):
    """Shows the heads of a model in place of inputs, choices and strip.

    A head that is opened by itself is there to be edited, and has them again.
    """

    _place = DOCUMENT
    _had_inputs = True
    _atlas_seen = _released = False
    _in_front = False
    """Whether the atlas comes to the front of panels that share its place."""

    def join(self) -> None:
        frame = self.frame
        self._atlas = frame.docks.dock("heads")
        self._presentation = frame.feature(PresentationFeature).presentation
        # Docks that are tabbed together come and go within the layout of the window.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._choose_control)
        self._atlas.visibilityChanged.connect(self._on_atlas)
        self._presentation.action.toggled.connect(self._follow)
        frame.workbench.opened.connect(self._follow)
        frame.workbench.model.changed.connect(self._follow)
        # Its button in the bar has another width then.
        frame.workbench.baseline.changed.connect(self.fit)
        frame.docks.reset.connect(self._on_reset)
        self._follow()

    def settle(self) -> None:
        if self._place == LAYER:  # the docks have no widths before
            self.frame.docks.narrow("heads")

    @Slot()
    def fit(self) -> None:
        """Put both bars into one line where they fit, and leave room for the step."""
        frame, model = self.frame, self.frame.feature(ModelFeature).bar
        left = frame.window.width() - frame.bar.needed_width()
        shared = self._place == LAYER and model.least_width() <= left
        frame.share_line(shared=shared)
        model.ask_for_width(left if shared else 0)
        low = frame.window.height() < LOW * usual_line(frame.window.font())
        ribbon = frame.feature(SentenceRibbonFeature).ribbon
        ribbon.show_lines(1 if low else LINES[self._place])

    def release(self) -> None:
        self._released = True
        self._soon.stop()

    def leave(self) -> None:
        """Restore the layout for documents without a model."""
        self._show(DOCUMENT)

    @Slot()
    def _follow(self) -> None:
        if self._presentation.action.isChecked():
            return  # which hides everything, and restores it at its end
        link = self.frame.workbench.link
        if link is None:
            self._show(DOCUMENT)
        else:
            self._show(LAYER if link.head is None else HEAD)
        # Over the line above the sentence: the picture reaches down to the lower edge.
        self.frame.notice.keep_to_top(top=self._place == LAYER)

    @Slot()
    def _on_reset(self) -> None:
        """Lay out around the model again: the initial layout knows none."""
        self._place = DOCUMENT
        self.frame.order_bars()
        self._follow()

    def _show(self, place: str) -> None:
        before, self._place = self._place, place
        if place == before:
            return
        docks, inputs = self.frame.docks, self.frame.docks.dock("inputs")
        if before == DOCUMENT:
            self._had_inputs = not inputs.isHidden()
        whole = place == LAYER
        self.frame.bar.show_choices(shown=not whole)
        self.frame.feature(FlowFeature).strip.setVisible(not whole)
        if place == DOCUMENT:
            inputs.setVisible(self._had_inputs)
            self._atlas.hide()
        elif place == HEAD:
            docks.open_panel("heads")
            docks.open_panel("inputs")
        else:
            docks.open_panel("heads")
            inputs.hide()
            docks.narrow("heads")
        self._in_front = whole
        self.fit()
        self._soon.start()

    @Slot(bool)
    def _on_atlas(self, visible: bool) -> None:
        if self._released:
            return  # docks are hidden one after the other as the window closes
        self._atlas_seen = visible
        self._soon.start()

    @Slot()
    def _choose_control(self) -> None:
        """Leave layer and head to one control: the atlas while it is in sight."""
        if self._in_front:
            # Other panels of a model have been opened since.
            self._in_front = False
            self._atlas.raise_()
        seen = self._atlas_seen and self._place != DOCUMENT
        self.frame.feature(ModelFeature).bar.show_location(shown=not seen)
        self.frame.step_view.header.offer_heads(offered=not seen)
        self.fit()
