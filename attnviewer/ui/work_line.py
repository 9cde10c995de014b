"""Long work in the status bar: how far it is, and the way to stop it."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.announcing import announce
from attnviewer.ui.building import Build
from attnviewer.ui.engine import Engine
from attnviewer.ui.files.reading import Reader, Reading
from attnviewer.ui.notice import NoticeBar


class WorkLine(QWidget):
    """Appears once some work has taken a second, with a button to cancel it.

    What was cancelled is told in the notice bar, which offers to compute it.

    Parameters
    ----------
    engine : Engine
        Whose computations they are; see `follow` for files that are read.
    notice : NoticeBar
        Where it is told that pictures are older than the numbers.
    parent : QWidget
        The status bar.
    """

    def __init__(self, engine: Engine, notice: NoticeBar, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("status.work")
        self._engine, self._notice = engine, notice
        self._offering = False
        self.text = QLabel(self)
        self.text.setObjectName("status.work.text")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setObjectName("status.work.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the work"))
        self.cancel.setAutoDefault(True)
        self.cancel.clicked.connect(engine.cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        layout.addWidget(self.cancel)
        engine.worker.progressed.connect(self._on_progressed)
        engine.worker.rested.connect(self.hide)
        engine.cancelled.connect(self._on_cancelled)
        engine.computed.connect(self._on_computed)
        self.hide()

    def follow(self, reader: Reader) -> None:
        """Tell of the files that are read as well."""
        reader.worker.progressed.connect(self._on_reading)
        reader.worker.rested.connect(self.hide)
        self.cancel.clicked.connect(reader.cancel)

    @Slot(object)
    def _on_reading(self, reading: Reading) -> None:
        text = self.tr("reading “{file}” …")
        self._tell(text.format(file=one_line(reading.origin.path.name)))

    @Slot(object)
    def _on_progressed(self, build: Build) -> None:
        if self._engine.is_preparing(build):
            text = self.tr("opening “{title}” … {percent} %")
        else:
            text = self.tr("computing … {percent} %")
        percent = round(100 * build.share)
        self._tell(text.format(title=build.document.title, percent=percent))

    def _tell(self, text: str) -> None:
        self.text.setText(text)
        if self.isHidden():
            self.show()
            announce(self, text, urgent=False)

    @Slot()
    def _on_cancelled(self) -> None:
        self._offering = True
        self._notice.offer(
            self.tr(
                "The computation was cancelled: what is shown is older than the "
                "numbers in the tables."
            ),
            [(self.tr("&Compute now"), self._engine.recompute)],
        )

    @Slot()
    def _on_computed(self) -> None:
        if self._offering:
            self._offering = False
            self._notice.withdraw()
