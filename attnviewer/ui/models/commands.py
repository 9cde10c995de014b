"""What can be done with the open model, and what becomes of it in the window."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.ui.actions import ActionRow, make_action
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.folders import documents_folder
from attnviewer.ui.models.jobs import Look, Place
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.workbench import Workbench


class ModelCommands(QObject):
    """Opens models, shows what a worker has computed of them, and puts heads back.

    Parameters
    ----------
    workbench : Workbench
        With the open model.
    opener : Opener
        Opens the documents of layers and heads.
    notice : NoticeBar
        Where refusals are told.
    window : QWidget
        The window, for dialogs; it owns the actions.

    Attributes
    ----------
    open_row : ActionRow
        The line of the File menu.
    edit_head, put_back, take_out : QAction
        Open the chosen head by itself, or the layer again; put the document's
        weights in place of the model's; give the model its own weights again.
    """

    def __init__(
        self,
        workbench: Workbench,
        opener: Opener,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._opener, self._notice, self._window = opener, notice, window
        self._pinned = False
        self._looked: Look | None = None
        self.open_row = ActionRow("model", self.tr("Open &model…"), self._ask)
        self.edit_head = make_action(
            window,
            ActionRow("model.edit_head", self.tr("&Edit this head"), self._turn),
        )
        self.put_back = make_action(
            window, ActionRow("model.put_back", self.tr("&Put back"), self._put_back)
        )
        self.take_out = make_action(
            window,
            ActionRow("model.take_out", self.tr("&Take all out"), self._take_out),
        )
        self._model.looked.connect(self._on_looked)
        self._model.refused.connect(notice.refuse)
        self._model.cancelled.connect(self._on_cancelled)
        self._model.changed.connect(self._update)
        workbench.opened.connect(self._on_opened)
        self._update()

    def _ask(self, _data: object = None) -> None:
        folder = QFileDialog.getExistingDirectory(
            self._window,
            self.tr("Open a model: the folder with its config.json"),
            str(documents_folder()),
        )
        if folder:
            self.open(Path(folder))

    def open(self, path: Path) -> None:
        """Open a checkpoint; one that cannot be read leaves everything as it is."""
        self._notice.dismiss()
        self._model.open(path)

    @Slot(object)
    def _on_looked(self, look: Look) -> None:
        if look.document is not None:
            self._looked = look
            self._opener.open_document(look.document, stay=True)
        baseline = self._workbench.baseline
        if look.compared is not None:
            baseline.pin(look.compared)
        elif self._pinned:
            baseline.unpin()
        self._pinned = look.compared is not None

    @Slot()
    def _on_opened(self) -> None:
        """Choose the head that was wished for, as soon as its document is open."""
        look, self._looked = self._looked, None
        if look is not None and look.document is self._workbench.document:
            head = look.wish.head
            if head is not None and look.wish.place.alone is None:
                self._workbench.selection.choose_head(head)
        self._update()

    @Slot()
    def _on_cancelled(self) -> None:
        self._notice.tell(self.tr("The model was not computed."))

    @Slot()
    def _update(self) -> None:
        experiment = self._model.experiment
        linked = experiment is not None and self._is_linked()
        alone = self._model.place.alone is not None
        self.edit_head.setEnabled(linked)
        self.edit_head.setText(
            self.tr("&Whole layer") if alone else self.tr("&Edit this head")
        )
        self.put_back.setEnabled(linked)
        self.take_out.setEnabled(experiment is not None and bool(experiment.puts))

    def _is_linked(self) -> bool:
        from attnviewer.models.documents import LINKS

        return self._workbench.document in LINKS

    def _turn(self, _data: object) -> None:
        """Open the chosen head by itself, or the whole layer again."""
        layer, alone = self._model.place.layer, self._model.place.alone
        head = None if alone is not None else self._workbench.selection.head
        self._model.show(Place(layer, head))

    def _put_back(self, _data: object) -> None:
        try:
            self._model.put_back(self._workbench.document)
        except ValueError as error:
            self._notice.refuse(str(error))

    def _take_out(self, _data: object) -> None:
        self._model.take_out()
