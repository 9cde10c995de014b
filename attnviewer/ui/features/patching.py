"""Patching: what heads and activations of the open model do to a number."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from attnviewer.io.export import file_stem
from attnviewer.io.export.csv_text import COMMA, TAB, csv_pieces, matrix_rows
from attnviewer.io.export.tables import write_export
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.files.file_dialogs import ask_and_write
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.patching import Patching
from attnviewer.ui.state.patching.effects import Effect, PatchedHeadJob
from attnviewer.ui.views.patching import PatchingPanel
from attnviewer.ui.views.patching.texts import what_opened
from attnviewer.ui.widgets.docks import Panel


class PatchingFeature(Feature):
    """Switches heads off or patches activations, one after the other.

    Attributes
    ----------
    patching : Patching
        Computes the effects.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.patching = Patching(frame.workbench, frame.window)
        self._job: PatchedHeadJob | None = None
        self._folder = documents_folder()
        self._dock = dock = frame.dock(self.tr("Patching"))
        frame.work.follow(self.patching)
        frame.panels.append(
            Panel(
                "patching",
                dock,
                self.tr("Pat&ching"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    def join(self) -> None:
        workbench = self.frame.workbench
        self.patching.opened.connect(self._open)
        workbench.opened.connect(self._on_opened)
        workbench.model.changed.connect(self._follow_model)
        self._dock.visibilityChanged.connect(self._follow_model)
        self._follow_model()

    def release(self) -> None:
        self.patching.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = PatchingPanel(self.patching, self.frame.appearance, self._dock)
        panel.copied.connect(self._copy)
        panel.exported.connect(self._export)
        return panel, panel.heading

    @Slot()
    def _follow_model(self) -> None:
        """Offer the panel while a model is open; an open one can be closed."""
        toggle = self.frame.docks.toggle("patching")
        has_model = self.patching.has_model
        toggle.setEnabled(has_model or not self._dock.isHidden())
        lacking = self.tr("Open a model first: File ▸ Open model…")
        toggle.setToolTip("" if has_model else lacking)

    @Slot(object)
    def _open(self, job: PatchedHeadJob) -> None:
        document = job.document
        assert document is not None
        self._job = job
        opener = self.frame.feature(FilesFeature).opener
        opener.open_document(document, keep_selection=True)

    @Slot()
    def _on_opened(self) -> None:
        """Show what is pinned once the layer of a cell is open, with a way back."""
        job, self._job = self._job, None
        workbench = self.frame.workbench
        document, link = workbench.document, workbench.link
        if job is None or link is None or job.document is not document:
            return
        if link.head is None:
            workbench.selection.choose_head(job.head)
        if document.pins:
            step, token = document.pins[0].step, job.effect.token(job.cell)
            workbench.selection.choose_step(step)
            if token is not None:
                workbench.selection.choose_cell(step, (token, 0))
        self.frame.notice.offer(
            what_opened(job.effect, job.cell),
            [(self.tr("&Back to the open sentence"), self._back)],
        )

    @Slot()
    def _back(self) -> None:
        model = self.frame.workbench.model
        model.show(model.requested)

    @Slot(object)
    def _copy(self, effect: Effect) -> None:
        text = b"".join(_pieces(effect, TAB)).decode()
        QGuiApplication.clipboard().setText(text)

    @Slot(object)
    def _export(self, effect: Effect) -> None:
        """Ask for a file and write the grid to it."""
        frame, title = self.frame, self.tr("Export the grid")
        name = file_stem(f"{effect.reading.clean.model.name}_{effect.grid.title}")
        suggested = self._folder / f"{name}.csv"
        path = ask_and_write(
            *(frame.window, frame.notice, title, suggested, self.tr("CSV")),
            lambda path: write_export(path, _pieces(effect)),
        )
        if path is not None:
            self._folder = path.parent


def _pieces(effect: Effect, delimiter: str = COMMA) -> Iterator[bytes]:
    """Yield a grid with its labels as a text table."""
    grid = effect.grid
    rows = matrix_rows(grid.values, grid.row_labels, grid.column_labels)
    return csv_pieces(rows, delimiter)
