"""Checking an implementation: menu row, marks in the strip, and a panel."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.doctor import Checker
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.importing import ImportFeature
from attnviewer.ui.files.file_dialogs import ask_and_write
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.heads import query_head
from attnviewer.ui.views.doctor import DoctorPanel
from attnviewer.ui.views.doctor.texts import standing_of
from attnviewer.ui.views.flow import Verdict
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.docks import Panel

if TYPE_CHECKING:
    from attnviewer.ui.state.doctor import Examination


class DoctorFeature(Feature):
    """Checks implementations, and shows what was found with the right document."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench, window = frame.workbench, frame.window
        self._model = workbench.doctor
        opener = frame.feature(FilesFeature).opener
        self.checker = Checker(workbench, opener, frame.notice, window)
        self.checker.examined.connect(self._on_examined)
        row = ActionRow("check", self.tr("Check m&y implementation…"), self.checker.ask)
        frame.menus.add("file.import", [row])
        frame.feature(ImportFeature).importer.case_found.connect(
            self.checker.check_file
        )
        self._strip = frame.feature(FlowFeature).strip
        self._model.changed.connect(self._mark)
        self._dock = dock = frame.dock(self.tr("Doctor"))
        frame.panels.append(
            Panel(
                "doctor",
                dock,
                self.tr("&Doctor"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=22,
                opened=False,
                beside="explain",
            )
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"checker": self.checker}

    def release(self) -> None:
        self.checker.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = DoctorPanel(self._model, self._dock)
        panel.asking.connect(self.checker.ask)
        panel.going.connect(self._go)
        panel.opening.connect(self.checker.open_faulty)
        panel.saving.connect(self._save)
        return panel, panel.heading

    @Slot()
    def _mark(self) -> None:
        examination = self._model.examination
        self._strip.judge({} if examination is None else _verdicts(examination))

    @Slot(object)
    def _on_examined(self, examination: "Examination") -> None:
        """Show the findings, and the first step that differs."""
        self.frame.docks.open_panel("doctor")
        first = examination.diagnosis.first_different
        step = examination.called.get(first or "")
        if step is not None:
            self._go(step)

    @Slot(str)
    def _go(self, step: str) -> None:
        """Show a step beside theirs, at the cell that differs most."""
        workbench, examination = self.frame.workbench, self._model.examination
        workbench.engine.catch_up()
        trace, selection = workbench.engine.current.trace, workbench.selection
        if examination is None or step not in trace:
            text = self.tr("The document has no step “{step}” any more.")
            self.frame.notice.refuse(text.format(step=step))
            return
        cell = examination.cells.get(step)
        if cell is None:
            selection.choose_step(step)
        else:
            if trace.n_heads(step) > 1:
                own = min(cell.head, trace.n_heads(step) - 1)
                head = query_head(trace, step, own, selection.head)
                selection.choose_head(head)
            selection.choose_cell(step, (cell.row, cell.column))
        workbench.baseline.choose("theirs")
        self.frame.step_view.set_view("difference")

    @Slot()
    def _save(self) -> None:
        """Ask for a file and write the report."""
        # Imported here, as most windows never check an implementation.
        from attnviewer.doctor.report import write_report

        examination, frame = self._model.examination, self.frame
        assert examination is not None
        diagnosis = examination.diagnosis
        suggested = documents_folder() / f"{Path(examination.title).name}-report.html"
        title, kind = self.tr("Save report"), self.tr("Web page")
        ask_and_write(
            *(frame.window, frame.notice, title, suggested, kind),
            lambda path: write_report(diagnosis, path),
        )


def _verdicts(examination: "Examination") -> dict[str, Verdict]:
    precision = examination.diagnosis.precision
    return {
        step: Verdict(
            "follows" if one.standing == "differs" and one.follows else one.standing,
            standing_of(one, precision),
        )
        for step, one in examination.steps.items()
    }
