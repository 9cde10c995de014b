"""Finding the model that a saved document comes from."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.model.reconnect import Reconnect, shown_path
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.notice import NoticeBar, Offer

if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models.experiment import Experiment


class Reconnecting(QObject):
    """Reconnects the open document with its model.

    The path in a file is untrusted: it is not accessed before the user agrees. A
    checkpoint that is open already is used without asking.

    Attributes
    ----------
    find : QAction
        Asks where the model is.
    """

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._notice, self._window = notice, window
        self._offered: Document | None = None
        row = ActionRow("model.find", self.tr("&Find its model…"), self._find)
        self.find = make_action(window, row)
        self._model.unconnected.connect(self._on_unconnected)
        self._model.changed.connect(self._update)
        workbench.opened.connect(self._on_opened)
        self._on_opened()

    @property
    def _disconnected(self) -> "Document | None":
        """The open document, if its checkpoint is not open."""
        document = self._workbench.document
        known = document.checkpoint is not None and self._workbench.link is None
        return document if known else None

    @Slot()
    def _update(self) -> None:
        parted = self._disconnected
        self.find.setEnabled(parted is not None)
        if parted is None and self._offered is self._workbench.document:
            # Its model is open by now, such as one given on the command line.
            self._offered = None
            self._notice.dismiss()

    @Slot()
    def _on_opened(self) -> None:
        self._update()
        document = self._disconnected
        if document is None:
            return
        known = document.checkpoint
        assert known is not None
        experiment = self._model.experiment
        if (
            experiment is not None
            and experiment.run.model.fingerprint == known.fingerprint
        ):
            self._connect(document, experiment)
            return
        text = self.tr(
            "This is {place} of the model in {path}. Open the model to apply its "
            "weights."
        ).format(place=known.name, path=shown_path(known.path))
        self._offered = document
        self._notice.offer(
            text,
            [
                (
                    self.tr("Open the &model"),
                    partial(self._connect, document, Path(known.path)),
                ),
                (self.tr("Find it el&sewhere…"), self._find),
            ],
        )

    @Slot(object, str)
    def _on_unconnected(self, job: Reconnect, reason: str) -> None:
        offers: list[Offer] = [(self.tr("Find its &model…"), self._find)]
        source = job.request.source
        if job.differs and isinstance(source, Path):
            use = partial(self._connect, job.target, source, anyway=True)
            offers.append((self.tr("&Use it anyway"), use))
        self._notice.refuse(reason, offers)

    def _find(self, _data: object = None) -> None:
        document = self._disconnected
        if document is None:
            return
        folder = QFileDialog.getExistingDirectory(
            self._window,
            self.tr("Find its model: the folder with its config.json"),
            str(documents_folder()),
        )
        if folder:
            self._connect(document, Path(folder))

    def _connect(
        self,
        document: "Document",
        source: "Path | Experiment",
        *,
        anyway: bool = False,
    ) -> None:
        if document is self._disconnected:  # unless something else was opened meanwhile
            self._offered = None
            self._notice.dismiss()
            self._model.start(Reconnect(source, document, anyway=anyway))
