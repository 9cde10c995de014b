"""The Explain dock: why the selected cell holds its number."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot

from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.explain import ExplainPanel
from attnviewer.ui.views.explain.mouse_buttons import MouseButtons
from attnviewer.ui.widgets.docks import Panel


class ExplainFeature(Feature):
    """Explains the selected cell."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench, window = frame.workbench, frame.window
        self.dock = dock = frame.dock(self.tr("Explain"))
        self.panel = panel = ExplainPanel(
            workbench.engine,
            workbench.selection,
            workbench.edits,
            workbench.sensitivity,
            frame.appearance,
            dock,
        )
        inputs = frame.feature(InputsFeature).panel
        workbench.selection_restarted.connect(panel.visited.clear)
        panel.visited.input_entered.connect(inputs.enter)
        panel.follow_folds(workbench.folds)
        panel.notified.connect(frame.notice.show_message)
        self._mouse_buttons = MouseButtons(panel.visited, window)
        frame.panels.append(
            Panel(
                "explain",
                dock,
                self.tr("E&xplain"),
                lambda: (panel, panel.heading),
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20.5,
                keys="F9",
            )
        )
        menu = frame.menus.submenu(self.tr("E&xplanation"), panel.commands.rows)
        frame.menus.add("view.panels", [menu])

    @property
    def offers(self) -> Mapping[str, object]:
        return {"explain": self.panel}

    def join(self) -> None:
        self.frame.workbench.opened.connect(self._show_model_path)
        self.frame.workbench.model.changed.connect(self._show_model_path)

    def settle(self) -> None:
        self._mouse_buttons.watch(self.frame.window.windowHandle())

    @Slot()
    def _show_model_path(self) -> None:
        self.panel.show_location(self.frame.workbench.location)
