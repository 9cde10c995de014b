"""The Head dock: what the chosen head of the open model is and does."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.head_page import HeadPage
from attnviewer.ui.views.head_page import HeadPagePanel
from attnviewer.ui.views.step.heads.layers import choose_in_model
from attnviewer.ui.widgets.docks import Panel


class HeadPageFeature(Feature):
    """Tells of the chosen head: its numbers, its weights, and examples.

    Attributes
    ----------
    page : HeadPage
        Computes it; takes the source of examples.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.page = HeadPage(frame.workbench, frame.window)
        self._dock = frame.dock(self.tr("Head"))
        frame.work.follow(self.page)
        frame.panels.append(
            Panel(
                "head",
                self._dock,
                self.tr("He&ad"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=22,
                opened=False,
                beside="explain",
            )
        )

    @property
    def offers(self) -> Mapping[str, object]:
        return {"head_page": self.page}

    def release(self) -> None:
        self.page.close()

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = HeadPagePanel(self.page, frame.appearance, self._dock)
        panel.head_chosen.connect(self._open)
        panel.text_chosen.connect(frame.workbench.model.set_text)
        panel.effect_wanted.connect(self._show_effect)
        return panel, panel.heading

    @Slot(object)
    def _open(self, head: HeadLocation) -> None:
        link = self.frame.workbench.link
        if link is not None:
            choose_in_model(self.frame.workbench, link, head)

    @Slot()
    def _show_effect(self) -> None:
        self.frame.workbench.ablation.choose("off")
        self.frame.docks.open_panel("model")
