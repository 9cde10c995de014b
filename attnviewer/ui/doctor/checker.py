"""Checks an implementation: reads its file, asks for the variant, opens the result."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.doctor.dialog import CheckDialog
from attnviewer.ui.doctor.jobs import ArraysReading, CaseReading, Checking, FaultyMaking
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Worker

if TYPE_CHECKING:
    from attnviewer.doctor.diagnosis import Finding
    from attnviewer.doctor.reading import CaseArrays
    from attnviewer.document import Document

PATTERNS = "*.npz *.safetensors *.json"


class Checker(QObject):
    """Compares what an implementation gave with the right computation.

    Attributes
    ----------
    examined : Signal
        The `Examination` whose document is open now.
    """

    examined = Signal(object)

    def __init__(
        self, workbench: Workbench, opener: Opener, notice: NoticeBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._workbench, self._opener = workbench, opener
        self._notice, self._window = notice, parent
        self._dialog: CheckDialog | None = None
        self._path: Path | None = None
        self._arrays: CaseArrays | None = None
        self._key = self._title = ""
        self._states: dict[str, dict[str, str]] = {}
        self._expected: Document | None = None
        self._worker = Worker(self)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progressed)
        workbench.opened.connect(self._on_opened)

    @property
    def dialog(self) -> CheckDialog | None:
        """The open dialog, if any."""
        return self._dialog

    def close(self) -> None:
        """Cancel the work, and wait for the thread."""
        self._worker.close()

    @Slot()
    def ask(self, _data: object = None) -> None:
        """Ask for a file and check what is in it."""
        name, _filter = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Check my implementation"),
            str(self._path.parent if self._path else documents_folder()),
            self.tr(
                "Inputs and what your code gave ({patterns});;All files (*)"
            ).format(patterns=PATTERNS),
        )
        if name:
            self.check_file(Path(name))

    @Slot(object)
    def check_file(self, path: Path) -> None:
        """Read a file, and ask what the implementation was meant to compute."""
        self._reset()
        self._worker.start(ArraysReading(path))

    def check_arrays(
        self, title: str, arrays: "CaseArrays", meant: Mapping[str, str]
    ) -> None:
        """Ask what an implementation was meant to compute whose arrays are known.

        Parameters
        ----------
        title : str
            What they are called.
        arrays : CaseArrays
            The inputs, and what the implementation gave.
        meant : mapping of str to str
            What is chosen first, see `OptionsForm.state`.
        """
        self._reset()
        self._key = self._title = title
        self._ask_meant(title, arrays, meant)

    @Slot(object)
    def open_faulty(self, finding: "Finding") -> None:
        """Open a document that computes with a mistake, as the implementation does."""
        examination = self._workbench.doctor.examination
        assert examination is not None
        self._worker.start(FaultyMaking(examination, finding))

    @Slot()
    def _stop(self) -> None:
        self._worker.stop_all()

    def _reset(self) -> None:
        """Close the dialog, and forget what was refused."""
        self._stop()
        if self._dialog is not None:
            self._dialog.reject()
        self._notice.dismiss()

    @Slot()
    def _forget(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            self._states[self._key] = dialog.state
        self._arrays = None
        self._stop()

    @Slot(str)
    def _read_case(self, spec: str) -> None:
        self._stop()
        assert self._arrays is not None
        self._worker.start(CaseReading(self._arrays, spec))

    @Slot(str)
    def _check(self, spec: str) -> None:
        self._stop()
        assert self._arrays is not None
        self._worker.start(Checking(self._arrays, spec, self._title))

    @Slot(object)
    def _on_progressed(
        self, job: ArraysReading | CaseReading | Checking | FaultyMaking
    ) -> None:
        if isinstance(job, Checking) and self._dialog is not None:
            self._dialog.show_progress(job.share)
        elif isinstance(job, ArraysReading) and not self._notice.text:
            text = self.tr("Reading “{name}”…").format(name=one_line(job.path.name))
            self._notice.offer(text, [(self.tr("&Cancel"), self._stop)])

    @Slot(object)
    def _on_done(
        self, job: ArraysReading | CaseReading | Checking | FaultyMaking
    ) -> None:
        if isinstance(job, ArraysReading):
            self._show(job)
        elif isinstance(job, FaultyMaking):
            assert job.document is not None
            self._opener.open_document(job.document)
        elif self._dialog is None:
            return
        elif isinstance(job, CaseReading):
            assert job.case is not None
            self._dialog.show_case(job.case)
        elif job.examination is not None:
            self._dialog.set_checking(False)
            self._dialog.accept()
            self._expected = job.examination.document
            self._workbench.doctor.expect(job.examination)
            self._opener.open_document(job.examination.document)
        else:
            text = self.tr("No document can show this computation: {reason}")
            message = text.format(reason=job.refusal)
            self._dialog.show_result(str(job.diagnosis), message)

    @Slot(object, str)
    def _on_failed(
        self, job: ArraysReading | CaseReading | Checking | FaultyMaking, reason: str
    ) -> None:
        if isinstance(job, ArraysReading):
            again = self.tr("Check a&nother file…"), self.ask
            self._notice.refuse(reason, [again])
        elif isinstance(job, FaultyMaking):
            self._notice.refuse(reason)
        elif self._dialog is not None:
            self._dialog.refuse(reason)

    def _show(self, job: ArraysReading) -> None:
        """Open the dialog on the arrays of a file."""
        assert job.arrays is not None
        self._notice.withdraw()
        n_heads = job.arrays.n_heads
        meant = {} if n_heads is None else {"n_heads": str(n_heads)}
        self._path = job.path
        self._key, self._title = str(job.path), job.path.stem
        self._ask_meant(job.path.name, job.arrays, meant)

    def _ask_meant(
        self, name: str, arrays: "CaseArrays", meant: Mapping[str, str]
    ) -> None:
        self._arrays = arrays
        state = self._states.get(self._key, meant)
        self._dialog = CheckDialog(name, arrays, state, self._window)
        self._dialog.meant.connect(self._read_case)
        self._dialog.check_wanted.connect(self._check)
        self._dialog.stop_wanted.connect(self._stop)
        self._dialog.finished.connect(self._forget)
        self._dialog.open()
        self._read_case(self._dialog.spec)

    @Slot()
    def _on_opened(self) -> None:
        expected, self._expected = self._expected, None
        examination = self._workbench.doctor.examination
        if examination is not None and examination.document is expected:
            self.examined.emit(examination)
