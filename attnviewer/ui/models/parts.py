"""What a window has for models: their commands, two bars and a panel."""

from PySide6.QtCore import QObject, Slot

from attnviewer.ui.docks import Docks
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.models.bar import ModelBar
from attnviewer.ui.models.commands import ModelCommands
from attnviewer.ui.models.comparing import ComparingBar
from attnviewer.ui.models.effect import EffectPanel
from attnviewer.ui.models.jobs import LookInto
from attnviewer.ui.models.reconnecting import Reconnecting
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.reason import ReasonBubble
from attnviewer.ui.step import StepView
from attnviewer.ui.workbench import Workbench


class ModelParts(QObject):
    """Makes the parts of a window that are about the open model.

    Parameters
    ----------
    workbench : Workbench
        With the open model.
    step_view : StepView
        Where its heads are shown.
    opener : Opener
        Opens documents and models.
    reason, notice
        Where refusals are told.
    window : MainWindow
        The window.

    Attributes
    ----------
    commands : ModelCommands
        What is done with the model.
    reconnecting : Reconnecting
        Finds the model of a saved document.
    effect : EffectPanel
        What changes do to it.
    bar : ModelBar
        Where one looks, and the sentence.
    comparing : ComparingBar
        The other sentence.
    """

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        opener: Opener,
        reason: ReasonBubble,
        notice: NoticeBar,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, workbench.model
        self._step_view = step_view
        self._docks: Docks | None = None
        self.commands = ModelCommands(workbench, opener, notice, window)
        self.reconnecting = Reconnecting(workbench, notice, window)
        self.effect = EffectPanel(workbench, window.appearance, window)
        self.bar = ModelBar(workbench, self.commands, reason, notice, window)
        self.comparing = ComparingBar(workbench, step_view, window)
        self.bar.addWidget(self.comparing.toggle)

    def add_bars(self) -> None:
        """Put the bars below those that the window has already."""
        self._window.addToolBarBreak()
        self._window.addToolBar(self.bar)
        self._window.addToolBarBreak()
        self._window.addToolBar(self.comparing)

    def bring_forward(self, docks: Docks) -> None:
        """Have docks and views shown as they are needed.

        With the first model alone its heads and what is about them: later they are
        where the person wants them. A head by itself is seen large, and what weights
        do that were put back is told.
        """
        self._docks = docks
        self._model.changed.connect(self._on_first)
        self._model.looked.connect(self._on_looked)

    @Slot(object)
    def _on_looked(self, look: LookInto) -> None:
        alone = look.place.alone is not None and look.document is not None
        if alone and self._step_view.view == "heads" and look.wish.head is None:
            self._step_view.set_view("heatmap")
        if look.wish.puts and look.document is None:
            assert self._docks is not None
            self._docks.open_panel("model")

    @Slot()
    def _on_first(self) -> None:
        assert self._docks is not None
        self._model.changed.disconnect(self._on_first)
        if self._model.place.alone is None:
            self._step_view.set_view("heads")
        self._docks.open_panel("model")
        self._docks.open_panel("lines")
