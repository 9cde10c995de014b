"""The Head dock: what the chosen head of the open model is and does."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.features.spec import SpecFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.head_page import HeadPage
from attnviewer.ui.views.head_page import HeadPagePanel
from attnviewer.ui.views.step.heads.layers import choose_in_model
from attnviewer.ui.widgets.actions import ActionRow, make_action
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
        row = ActionRow("head.about", self.tr("&About this head"), self._show)
        self._about = make_action(frame.window, row)
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

    def join(self) -> None:
        heads = self.frame.feature(SpecFeature).heads
        heads.offer([self._about])
        heads.aboutToShow.connect(self._follow)

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

    def _show(self, _data: object) -> None:
        self.frame.docks.open_panel("head")

    @Slot()
    def _follow(self) -> None:
        is_there = self.frame.workbench.link is not None
        reason = self.tr("This is about heads of a model: open one first.")
        self._about.setEnabled(is_there)
        self._about.setToolTip("" if is_there else reason)

    @Slot()
    def _show_effect(self) -> None:
        self.frame.workbench.ablation.choose("off")
        self.frame.docks.open_panel("model")
