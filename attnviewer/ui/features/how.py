"""The picture of the operation: what it needs of the other parts of the window."""

from typing import cast

from PySide6.QtCore import QRect, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.flow import FlowFeature
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.spec.temperature import TemperatureControl
from attnviewer.ui.views.step.how.page import HowPage
from attnviewer.views import FIRST_VIEW, MOST_TOKENS_OF_FIRST, PICTURE_VIEW

VIEW = "how"


class HowFeature(Feature):
    """Joins the picture of the operation with strip, inputs and menu.

    Attributes
    ----------
    play : QAction
        Plays the computation; checked while it plays.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._presented = False
        self.play = QAction(self.tr("Pla&y the computation"), frame.window)
        self.play.setObjectName("action.play")
        self.play.setShortcut("F10")
        self.play.setCheckable(True)
        self.play.triggered.connect(self._play)
        frame.menus.add("view.steps", [self.play])

    def join(self) -> None:
        step_view = self.frame.step_view
        step_view.header.offer_play(self.play)
        self._strip = self.frame.feature(FlowFeature).strip
        step_view.follow_pages(self._on_page)
        self._strip.opened.connect(self._zoom)
        self.frame.workbench.opened.connect(self._fit_view)
        self._fit_view()

    @Slot(bool)
    def present(self, on: bool) -> None:
        """Show the picture alone, with larger numbers, or as before."""
        self._presented = on
        page = self._page
        if page is not None:
            page.present(on)

    def start(self) -> None:
        """Open the picture and play it, unless it does already."""
        if not self.play.isChecked():
            self._play()

    @property
    def _page(self) -> HowPage | None:
        """The page, if it is the visible one."""
        page = self.frame.step_view.page
        return page if isinstance(page, HowPage) else None

    @Slot()
    def _fit_view(self) -> None:
        """Show a longer text in a view in which all of it is readable."""
        step_view, document = self.frame.step_view, self.frame.workbench.document
        long = len(document.tokens) > MOST_TOKENS_OF_FIRST
        if long and step_view.view == FIRST_VIEW:
            step_view.set_view(PICTURE_VIEW)

    @Slot()
    def _play(self) -> None:
        """Open the picture, and play it or pause."""
        step_view = self.frame.step_view
        step_view.set_view(VIEW)
        page = cast("HowPage", step_view.page_of(VIEW))
        page.playback.toggle()
        page.setFocus()
        self.play.setChecked(page.playback.is_playing)

    @Slot()
    def _show_folded(self) -> None:
        self.frame.step_view.set_view(PICTURE_VIEW)
        self.frame.step_view.page.setFocus()

    @Slot(QRect)
    def _zoom(self, card: QRect) -> None:
        page = self._page
        if page is not None:
            page.zoom_from(card)

    @Slot(QWidget)
    def _on_page(self, page: QWidget) -> None:
        if isinstance(page, HowPage):
            frame = self.frame
            page.set_tables(frame.feature(InputsFeature).panel.borrowed)
            edits = frame.workbench.edits
            page.set_temperature(
                TemperatureControl(edits, frame.reason, "how.temperature", page)
            )
            page.covers_changed.connect(self._strip.set_stage)
            page.playback.playing_changed.connect(self.play.setChecked)
            page.folds.button.clicked.connect(self._show_folded)
            page.present(self._presented)
