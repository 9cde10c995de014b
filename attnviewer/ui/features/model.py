"""The open model: its commands, two bars and a dock."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.head_lines import HeadLinesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.model.bar import ModelBar
from attnviewer.ui.model.checkpoints import CheckpointComparing
from attnviewer.ui.model.commands import ModelCommands
from attnviewer.ui.model.comparing import ComparingBar
from attnviewer.ui.model.first_head import FirstHead
from attnviewer.ui.model.reconnecting import Reconnecting
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.views.model_effect import EffectPanel
from attnviewer.ui.widgets.docks import Panel


class ModelFeature(Feature):
    """Opens models, with bars for the layer and head and a dock for edits' effects."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        window, workbench, notice = frame.window, frame.workbench, frame.notice
        self._model = workbench.model
        opener = frame.feature(FilesFeature).opener
        self.commands = commands = ModelCommands(workbench, opener, notice, window)
        FirstHead(workbench, notice, window)
        reconnecting = Reconnecting(workbench, notice, window)
        self._dock = dock = frame.dock(self.tr("Model"))
        self._bar = ModelBar(workbench, commands, frame.reason, notice, window)
        comparing = ComparingBar(workbench, frame.step_view, window)
        self._bar.addWidget(comparing.toggle)
        frame.bars_above.append(self._bar)
        frame.bars.append(comparing)
        frame.around.append(comparing)
        self._checkpoints = CheckpointComparing(
            workbench, frame.step_view, notice, window
        )
        frame.work.follow(self._checkpoints)
        frame.work.follow(self._model)
        frame.work.follow(workbench.ablation)
        frame.work.follow(workbench.layer_maps)
        frame.work.follow(workbench.head_report)
        frame.menus.add(
            "file.model",
            [
                commands.open_row,
                commands.open_picture,
                commands.back,
                reconnecting.find,
                self._checkpoints.compare,
                self._checkpoints.end,
            ],
        )
        frame.panels.append(
            Panel(
                "model",
                dock,
                self.tr("&Model"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=22,
                opened=False,
                beside="explain",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = EffectPanel(frame.workbench, frame.appearance, self._dock)
        return panel, panel.heading

    @property
    def bar(self) -> ModelBar:
        """The bar with the sentence."""
        return self._bar

    def edit_sentence(self) -> None:
        """Put the focus into the sentence, all of which is replaced by typing."""
        self._bar.edit_sentence()

    def join(self) -> None:
        self._model.changed.connect(self._on_first)
        self._model.layer_computed.connect(self._on_layer_computed)
        self._bar.filled.connect(self.frame.order_tabs)

    def release(self) -> None:
        self._checkpoints.close()

    def fit(self) -> None:
        self._bar.fit()

    @Slot(object)
    def _on_layer_computed(self, job: LayerJob) -> None:
        # A head opened alone is shown large; weights put back into the model open the
        # panel that shows their effect.
        head_alone = job.location.alone is not None and job.document is not None
        step_view = self.frame.step_view
        if head_alone and step_view.view == "heads" and job.request.head is None:
            step_view.set_view("heatmap")
        if job.request.patches and job.document is None:
            self.frame.docks.open_panel("model")

    @Slot()
    def _on_first(self) -> None:
        # For the first model only: afterwards the layout is the user's choice.
        self._model.changed.disconnect(self._on_first)
        self.frame.step_view.set_view("heatmap")
        self.frame.docks.open_panel("model")
        self.frame.feature(HeadLinesFeature).open_first()
