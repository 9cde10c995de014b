"""Recordings of PyTorch models: their layers in a panel, each opened as a document."""

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.doctor import DoctorFeature
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.recording import LayerOrigin, OpenRecording, RecordingFile
from attnviewer.ui.views.recording import RecordingPanel
from attnviewer.ui.views.recording.texts import layer_name, options_as_text
from attnviewer.ui.widgets.docks import Panel


class RecordingFeature(Feature):
    """Opens recordings, and goes from layer to layer.

    Attributes
    ----------
    recording : OpenRecording
        The recording that was opened last.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        files = frame.feature(FilesFeature)
        self._opener, self._origins = files.opener, files.origins
        self._checker = frame.feature(DoctorFeature).checker
        self.recording = OpenRecording(frame.window)
        self._dock = dock = frame.dock(self.tr("Recording"))
        frame.panels.append(
            Panel(
                "recording",
                dock,
                self.tr("&Recording"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    def join(self) -> None:
        self._opener.recording_wanted.connect(self.open)
        self.recording.wanted.connect(self._go)
        self._origins.kept.connect(self._follow)
        self.frame.workbench.opened.connect(self._follow)

    @Slot(object)
    def open(self, path: Path) -> None:
        """Open the first layer of a recording."""
        self._opener.open_origin(LayerOrigin(RecordingFile(path)))

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = RecordingPanel(self.recording, self.frame.appearance, self._dock)
        panel.check_wanted.connect(self._check)
        return panel, panel.heading

    @Slot(object)
    def _go(self, place: LayerOrigin) -> None:
        self._opener.open_origin(place, keep_selection=True)

    @Slot()
    def _follow(self) -> None:
        """Show which layer is open; the panel comes with another recording."""
        document, before = self.frame.workbench.document, self.recording.place
        origin = self._origins.origin(document)
        place = origin if isinstance(origin, LayerOrigin) else None
        self.recording.show(place, document)
        if place is not None and (before is None or place.file is not before.file):
            self.frame.docks.open_panel("recording")

    @Slot()
    def _check(self) -> None:
        # Imported here, as most windows never check an implementation.
        from attnviewer.doctor.reading import CaseArrays

        place, layer = self.recording.place, self.recording.layer
        assert place is not None
        assert layer is not None
        assert layer.output is not None
        arrays = CaseArrays(layer.inputs, {"output": layer.output}, ())
        title = f"{place.path.stem} {layer_name(layer)}"
        self._checker.check_arrays(title, arrays, options_as_text(layer.meant))
