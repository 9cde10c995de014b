"""Commands on the open model, and showing their results in the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.document.grouping import take_groups
from attnviewer.sources import PICTURES
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.recent import recent_paths
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.work.worker import NO_MEMORY

# The worker that opens a model imports them: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document, Snapshot
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.layer_documents import Link


class ModelCommands(QObject):
    """Opens models, shows what a worker computes of them, and puts heads back.

    Attributes
    ----------
    open_row : ActionRow
        Opens a model.
    open_picture : QAction
        Runs the model over a picture.
    back : QAction
        Goes back to the layer that was open last.
    edit_head, put_back, take_out : QAction
        Open the chosen head alone, or the layer again; put the document's weights in
        place of the model's; restore all of the model's own weights. Their icon texts
        are symbols for narrow windows.
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
        self._pinned: Snapshot | None = None
        self._job: LayerJob | None = None
        self._head = 0
        self._opened: Document | None = None
        self._reported_model: object = None
        self.open_row = ActionRow("model", self.tr("Open &model…"), self._ask, "Ctrl+M")
        make = make_action
        opens = self.tr("O&pen image…")
        self.open_picture = make(
            window, ActionRow("model.picture", opens, self._ask_picture)
        )
        self.back = make(
            window, ActionRow("model.back", self.tr("&Back to the model"), self._back)
        )
        self.edit_head = make(
            window, ActionRow("model.edit_head", "", self._toggle_head)
        )
        self.put_back = make(
            window,
            ActionRow("model.put_back", self.tr("Apply to model"), self._put_back),
        )
        self.put_back.setIconText("↩")
        self.put_back.setToolTip(
            self.tr(
                "the model computes with these weights in place of its own; "
                "X and other choices stay the model's"
            )
        )
        self.take_out = make(
            window, ActionRow("model.take_out", self.tr("Remove all"), self._take_out)
        )
        self.take_out.setIconText("✕")
        self.take_out.setToolTip(
            self.tr("the model computes with its own weights again, in all layers")
        )
        model = self._model
        model.started.connect(self._on_started)
        model.layer_computed.connect(self._on_layer_computed)
        model.refused.connect(notice.refuse)
        model.cancelled.connect(self._on_cancelled)
        model.interrupted.connect(self._on_interrupted)
        model.changed.connect(self._update)
        opener.model_wanted.connect(self.open)
        opener.picture_wanted.connect(self.run_over_picture)
        workbench.opened.connect(self._on_opened)
        workbench.edits.indexChanged.connect(self._update)
        workbench.engine.unprepared.connect(self._on_unprepared)
        workbench.engine.given_up.connect(self._on_unprepared)
        self._update()

    def _ask(self, _data: object = None) -> None:
        last = next((p for p in recent_paths() if p.is_dir()), None)
        folder = QFileDialog.getExistingDirectory(
            self._window,
            self.tr("Open a model: the folder with its config.json"),
            str(documents_folder() if last is None else last.parent),
        )
        if folder:
            self.open(Path(folder))

    def _ask_picture(self, _data: object = None) -> None:
        patterns = " ".join(f"*{suffix}" for suffix in PICTURES)
        name, _filter = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Run the model over an image"),
            str(documents_folder()),
            self.tr("Images ({patterns});;All files (*)").format(patterns=patterns),
        )
        if name:
            self.run_over_picture(Path(name))

    def adopt(self, document: "Document") -> None:
        """Take a document as the model's that was opened before its model was."""
        self._opened = document
        self._update()

    @Slot(object)
    def run_over_picture(self, path: Path) -> None:
        """Run the open model over a picture, if it reads pictures."""
        if self.open_picture.isEnabled():
            commit_pending_input()
            self._notice.dismiss()
            self._model.set_text(str(path))
            return
        self._notice.refuse(
            self.tr(
                "“{name}” is an image. First open a model that reads images, such as "
                "ViT, DINOv2 or CLIP."
            ).format(name=path.name)
        )

    @Slot(object)
    def open(self, path: Path) -> None:
        """Open a checkpoint; if it cannot be read, nothing changes."""
        commit_pending_input()
        self._notice.dismiss()
        self._opener.give_up()
        self._model.open(path)

    @Slot(object)
    def _on_started(self, job: LayerJob) -> None:
        """Give up a document being prepared for the one that comes of a request."""
        if not job.request.stays:
            self._workbench.engine.give_up()

    @Slot(object)
    def _on_layer_computed(self, job: LayerJob) -> None:
        self._job = job
        if job.document is None:
            self._compare(job)
            for text in job.notices:
                self._notice.add(text)
            if job.request.patches is not None:
                self._report_put_back()
            return
        self._opened = job.document
        workbench, link = self._workbench, self._workbench.link
        if link is not None:  # groups made by hand are of the sentence
            take_groups(job.document, workbench.document)
        alone = None if link is None else link.head
        present = workbench.selection.head if alone is None else alone
        self._head = present if job.request.head is None else job.request.head
        self._opener.open_document(job.document, keep_selection=link is not None)
        if job.document not in (workbench.document, workbench.engine.preparing):
            self._on_unprepared()

    @Slot()
    def _on_opened(self) -> None:
        document, job = self._workbench.document, self._job
        if job is not None and job.document is document:
            if job.location.alone is None:
                self._workbench.selection.choose_head(self._head)
            self._compare(job)
            self._report_heads_alone(job)
            for text in job.notices:
                self._notice.add(text)
        else:
            # Something else was opened meanwhile: the latest request wins.
            self._model.give_up()
            # The former baseline is from another layer or model.
            self._pin(None)
            self._model.compare_from(document)
        self._model.follow(document)
        self._update()

    @Slot()
    def _on_unprepared(self) -> None:
        """Follow the open document again, as no other one replaced it."""
        self._model.follow(self._workbench.document)

    def _compare(self, job: LayerJob) -> None:
        link, experiment = self._workbench.link, job.experiment
        assert experiment is not None
        # Weights are compared only over the same sentence.
        is_fair = experiment.other is not None or (
            link is not None and link.run.ids == experiment.run.ids
        )
        self._pin(job.compared if is_fair else None)

    def _pin(self, compared: "Document | None") -> None:
        """Use a document of the model as the baseline; None to remove it."""
        baseline = self._workbench.baseline
        if compared is not None:
            baseline.pin(compared)
            assert baseline.pinned is not None
            self._pinned = baseline.pinned.snapshot
            return
        # A baseline that the user has pinned stays.
        pinned, self._pinned = self._pinned, None
        if (
            pinned is not None
            and baseline.pinned is not None
            and baseline.pinned.snapshot is pinned
        ):
            baseline.unpin()

    def _report_heads_alone(self, job: LayerJob) -> None:
        """Say once why a head was opened instead of the requested layer."""
        assert job.experiment is not None
        model = job.experiment.run.model
        if job.location != job.request.location and self._reported_model is not model:
            self._reported_model = model
            text = self.tr(
                "The layers of “{model}” are too large to be opened whole: their heads "
                "are opened one by one."
            )
            self._notice.show_message(text.format(model=model.name))

    def _report_put_back(self) -> None:
        from attnviewer.models.kept_edits import keeps_other_edits

        link, experiment = self._workbench.link, self._model.experiment
        if link is None or experiment is None:
            return
        differs = _is_patched(experiment, link)
        text = (
            self.tr("The model now computes with these weights of {place}.")
            if differs
            else self.tr("These weights of {place} are the model's own.")
        )
        self._notice.show_message(text.format(place=link.name))
        if differs and link.sharing:
            heads = ", ".join(f"H{head}" for head in link.sharing)
            text = self.tr("Their W_K and W_V are also those of {heads}.")
            self._notice.add(text.format(heads=heads))
        if keeps_other_edits(self._workbench.document):
            self._notice.add(
                self.tr(
                    "X comes from the previous layers, and mask, scale and the like "
                    "are the model's: changes to these are not applied."
                )
            )

    @Slot()
    def _on_cancelled(self) -> None:
        self._notice.show_message(self.tr("The model was not computed."))

    @Slot()
    def _on_interrupted(self) -> None:
        self._notice.offer(
            self.tr("The rest of the model was not computed."),
            [(self.tr("&Compute now"), self._model.complete)],
        )

    @Slot()
    def _update(self) -> None:
        experiment = self._model.experiment
        link = self._workbench.link
        model = None if experiment is None else experiment.run.model
        reads = model is not None and (model.reads_pictures or model.other is not None)
        self.open_picture.setEnabled(reads)
        self.back.setEnabled(experiment is not None and link is None)
        patches = () if experiment is None else experiment.patches
        self.put_back.setVisible(link is not None and self._is_changed(link))
        self.take_out.setVisible(bool(patches))
        if link is None or link.head is None:
            self.edit_head.setText(self.tr("Edit this head"))
            self.edit_head.setIconText("✎")
            apart = link is None or not _is_together(link)
            self.edit_head.setToolTip(
                self.tr("opens it by itself, with its part of the weights")
                if apart
                else self.tr("its queries and keys are normalised with all heads")
            )
            self.edit_head.setEnabled(link is not None and apart)
            return
        self.edit_head.setText(self.tr("Whole layer"))
        self.edit_head.setIconText("▦")
        whole = _is_whole(link)
        self.edit_head.setToolTip(
            self.tr("opens all heads of this layer again")
            if whole
            else self.tr("it is too large to be opened")
        )
        self.edit_head.setEnabled(whole)

    def _is_changed(self, link: "Link") -> bool:
        """Return whether applying the open weights may change what the model computes.

        True as well where weights were applied before: the action stays once chosen.
        """
        experiment = self._model.experiment
        assert experiment is not None
        if self._workbench.edits.wrote_cells or _is_patched(experiment, link):
            return True
        document = self._workbench.document
        if document is self._opened and not self._workbench.edits.canUndo():
            return False
        from attnviewer.models.kept_edits import differs_from

        return differs_from(document, experiment.run)

    def _toggle_head(self, _data: object = None) -> None:
        """Open the chosen head alone, or the whole layer again."""
        commit_pending_input()
        layer, alone = self._model.requested.layer, self._model.requested.alone
        head = None if alone is not None else self._workbench.selection.head
        self._model.show(ModelLocation(layer, head))

    def _back(self, _data: object = None) -> None:
        self._model.show(self._model.requested)

    def _put_back(self, _data: object = None) -> None:
        commit_pending_input()
        try:
            self._model.put_back(self._workbench.document)
        except ValueError as error:
            self._notice.refuse(str(error))
        except MemoryError:
            self._notice.refuse(NO_MEMORY)

    def _take_out(self, _data: object = None) -> None:
        commit_pending_input()
        self._model.take_out()


def _is_patched(experiment: "Experiment", link: "Link") -> bool:
    """Return whether a layer or head computes with weights that were applied."""
    return any(
        patch.layer == link.layer
        and (None in (patch.head, link.head) or patch.head == link.head)
        for patch in experiment.patches
    )


def _is_together(link: "Link") -> bool:
    from attnviewer.models.head_slice import HeadSlice

    return HeadSlice.of(link.run, 0).together


def _is_whole(link: "Link") -> bool:
    from attnviewer.models.layer_documents import is_whole

    return is_whole(link.run)
