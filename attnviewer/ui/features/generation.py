"""Generation: the open decoder goes on token by token, and the window follows."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.sentence_ribbon import SentenceRibbonFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.generation import Generating
from attnviewer.ui.views.generation import GenerationPanel
from attnviewer.ui.widgets.docks import Panel


class GenerationFeature(Feature):
    """Generates tokens, and shows what each attends to as it is computed.

    Attributes
    ----------
    generating : Generating
        Generates them.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.generating = Generating(frame.workbench.model, frame.window)
        self._dock = dock = frame.dock(self.tr("Generate"))
        frame.panels.append(
            Panel(
                "generation",
                dock,
                self.tr("Gen&erate"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=24,
                opened=False,
                beside="explain",
            )
        )

    def join(self) -> None:
        self._ribbon = self.frame.feature(SentenceRibbonFeature).ribbon
        self._step = self.generating.step
        self.generating.changed.connect(self._follow)
        self.frame.workbench.opened.connect(self._on_opened)

    def release(self) -> None:
        self.generating.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = GenerationPanel(self.generating, self.frame.appearance, self._dock)
        return panel, panel.heading

    @Slot()
    def _on_opened(self) -> None:
        if self.frame.workbench.link is None:  # the next token would replace it
            self.generating.pause()
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Mark the cached tokens, and show the row of a token that has come."""
        step, link = self.generating.step, self.frame.workbench.link
        opened = link is not None and step is not None and link.run is step.run
        cached = range(0)
        if link is not None and opened:
            cached = self.generating.cached(link.layer)
        self._ribbon.mark_cached(cached)
        self.frame.workbench.cached_keys.set(cached)
        if step is not self._step and (opened or step is None):
            self._step = step
            if step is not None:
                self._ribbon.choose_token(len(step.run.ids) - 1)
