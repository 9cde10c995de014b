"""The bar of the open model: layer, head, sentence, and what is done with a head."""

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow, QToolBar, QToolButton

from attnviewer.ui.models.commands import ModelCommands
from attnviewer.ui.models.jobs import Place
from attnviewer.ui.models.number_box import NumberBox
from attnviewer.ui.typed import take_over_typed
from attnviewer.ui.workbench import Workbench


class ModelBar(QToolBar):
    """Shows where in the open model one looks; hidden while there is none.

    Parameters
    ----------
    workbench : Workbench
        With the open model.
    commands : ModelCommands
        What its buttons do.
    window : QMainWindow
        The window.
    """

    def __init__(
        self, workbench: Workbench, commands: ModelCommands, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self.setWindowTitle(self.tr("Model"))
        self.setObjectName("model.bar")
        self.setMovable(False)
        self.layer = NumberBox("L", self.tr("Layer"), self)
        self.layer.setObjectName("model.layer")
        self.head = NumberBox("H", self.tr("Head"), self)
        self.head.setObjectName("model.head")
        self.sentence = QLineEdit(self)
        self.sentence.setObjectName("model.sentence")
        self.sentence.setAccessibleName(self.tr("Sentence"))
        self.sentence.setToolTip(self.tr("Enter runs the model over it"))
        self.count = QLabel(self)
        self.count.setObjectName("model.count")
        self.count.setProperty("muted", True)
        self.addWidget(self.layer)
        self.addWidget(self.head)
        self.addWidget(self.sentence)
        self.addWidget(self.count)
        for action in (commands.edit_head, commands.put_back, commands.take_out):
            self.addWidget(_button(action, self))
        self.layer.valueChanged.connect(self._on_layer)
        self.head.valueChanged.connect(self._on_head)
        self.sentence.returnPressed.connect(self._on_sentence)
        self._model.changed.connect(self._show)
        self._model.refused.connect(self._show_place)
        self._model.cancelled.connect(self._show_place)
        workbench.selection.head_changed.connect(self._show_place)
        self.hide()

    @Slot()
    def _show(self) -> None:
        experiment = self._model.experiment
        assert experiment is not None
        self.layer.set_count(experiment.run.model.n_layers)
        self.head.set_count(experiment.run.model.n_heads)
        self.sentence.setText(self._model.text)
        self.sentence.setCursorPosition(0)
        self.count.setText(self.tr("%n token(s)", "", len(experiment.run.tokens)))
        self._show_place()
        self.show()

    @Slot()
    def _show_place(self) -> None:
        place = self._model.place
        head = self._workbench.selection.head if place.alone is None else place.alone
        for box, value in ((self.layer, place.layer), (self.head, head)):
            with QSignalBlocker(box):
                box.setValue(value)

    @Slot(int)
    def _on_layer(self, layer: int) -> None:
        take_over_typed()
        self._model.show(Place(layer, self._model.place.alone))

    @Slot(int)
    def _on_head(self, head: int) -> None:
        if self._model.place.alone is None:
            self._workbench.selection.choose_head(head)
        else:
            self._model.show(Place(self._model.place.layer, head))

    @Slot()
    def _on_sentence(self) -> None:
        self._model.set_text(self.sentence.text())


def _button(action: QAction, bar: QToolBar) -> QToolButton:
    button = QToolButton(bar)
    button.setObjectName(action.objectName().replace("action", "button"))
    button.setDefaultAction(action)
    return button
