"""Window settings that persist between starts."""

from PySide6.QtCore import QPoint, QRect, Slot

from attnviewer.ui.features.model_workspace import ModelWorkspaceFeature
from attnviewer.ui.features.presentation import PresentationFeature
from attnviewer.ui.features.tour import TourFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.frame.remembered import (
    GEOMETRY,
    LAYOUT,
    STEP,
    STEP_IN,
    TEXT_SIZE,
    THEME,
    TOURED,
)
from attnviewer.ui.state.settings import own_settings


class SettingsFeature(Feature):
    """Theme, text size, window geometry, docks, and whether the tour was taken.

    The docks are restored at once. Theme and text size are stored as soon as they
    are chosen, everything when the window closes.
    Settings that cannot be read, such as another version's, are ignored.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._settings = own_settings()
        layout = self._settings.value(LAYOUT)
        if layout is not None:
            frame.docks.restore(layout)
        frame.feature(TourFeature).tour.ended.connect(self._keep_toured)
        frame.appearance.chosen.connect(self._keep_appearance)

    @property
    def toured(self) -> bool:
        """Whether the tour was completed or dismissed."""
        return str(self._settings.value(TOURED)) == "true"

    def release(self) -> None:
        frame, window = self.frame, self.frame.window
        presentation = frame.feature(PresentationFeature).presentation
        step = None
        # In a presentation, the step is not where it will be at the next start.
        if not presentation.action.isChecked():
            view = frame.step_view
            step = QRect(view.mapTo(window, QPoint()), view.size())
        presentation.leave()
        frame.feature(ModelWorkspaceFeature).leave()
        for name, value in (
            (THEME, frame.appearance.choice),
            (TEXT_SIZE, frame.appearance.text_size),
            (GEOMETRY, window.saveGeometry()),
            (LAYOUT, frame.docks.layout_state()),
            (STEP, step),
            (STEP_IN, window.size()),
        ):
            self._settings.setValue(name, value)

    @Slot()
    def _keep_appearance(self) -> None:
        appearance = self.frame.appearance
        self._settings.setValue(THEME, appearance.choice)
        self._settings.setValue(TEXT_SIZE, appearance.text_size)
        # Qt writes some time later, and not at all if the process is killed.
        self._settings.sync()

    @Slot()
    def _keep_toured(self) -> None:
        self._settings.setValue(TOURED, "true")
