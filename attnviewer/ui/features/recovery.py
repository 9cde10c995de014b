"""Unsaved work is autosaved, and offered again after a crash."""

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.recovery import Recovery


class RecoveryFeature(Feature):
    """Autosaves a window of the application's own process."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        files = frame.feature(FilesFeature)
        self._recovery = Recovery(
            frame.workbench,
            files.origins,
            files.opener,
            files.saver,
            frame.notice,
            frame.window,
        )

    @property
    def asks(self) -> bool:
        """Whether a dialog offers leftover documents."""
        return self._recovery.offers

    def release(self) -> None:
        self._recovery.close()
