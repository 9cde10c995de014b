"""Unsaved work is kept, and offered after an unexpected end."""

from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.recovery import Recovery


class RecoveryFeature(Feature):
    """Keeps the unsaved work of a window that is the program's own."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        files = frame.feature(FilesFeature)
        self._recovery = Recovery(
            frame.workbench, files.origins, files.opener, frame.notice, frame.window
        )

    @property
    def asks(self) -> bool:
        """Whether something was left behind, and the person is asked about it."""
        return self._recovery.offers

    def release(self) -> None:
        self._recovery.close()
