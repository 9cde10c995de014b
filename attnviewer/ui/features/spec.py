"""The choice of the attention variant: a bar, menus and a dialog."""

from collections.abc import Mapping

from PySide6.QtCore import Slot

from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.spec.attention_menu import AttentionMenu
from attnviewer.ui.views.spec.dimensions_dialog import DimensionsDialog
from attnviewer.ui.views.spec.head_menu import HeadMenu
from attnviewer.ui.views.spec.mistake_bar import MistakeBar
from attnviewer.ui.views.spec.precision_menu import PrecisionMenu
from attnviewer.ui.views.spec.spec_bar import SpecBar
from attnviewer.ui.widgets.actions import SEPARATOR, fill_menu


class SpecFeature(Feature):
    """Chooses the attention of the open document, its dimensions and its heads.

    Attributes
    ----------
    heads : HeadMenu
        What can be done with the chosen head.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        window, workbench, reason = frame.window, frame.workbench, frame.reason
        self._bar = SpecBar(workbench.edits, reason, frame.bar)
        frame.bar.add_choices(self._bar)
        self._mistake = MistakeBar(workbench, frame.notice, window)
        frame.bars.append(self._mistake)
        frame.around.append(self._mistake)
        # Kept alive, as its methods are the menu's slots.
        self._attention = AttentionMenu(
            window, workbench.edits, reason, self._open_dimensions
        )
        self.heads = HeadMenu(workbench, reason, window)
        frame.step_view.head_menu_wanted.connect(self.heads.open_at)
        precision = PrecisionMenu(workbench.engine, window)
        menu = self._attention.menu
        fill_menu(menu, [SEPARATOR, self.heads, SEPARATOR, precision])
        frame.menus.add("attention", [menu])

    @property
    def offers(self) -> Mapping[str, object]:
        return {"spec_bar": self._bar}

    def join(self) -> None:
        self.frame.workbench.opened.connect(self._show_document)
        inputs = self.frame.feature(InputsFeature).panel
        inputs.dimensions_wanted.connect(self._open_dimensions)

    def release(self) -> None:
        self._bar.release()
        self._mistake.release()

    @Slot()
    def _show_document(self) -> None:
        self._bar.set_document(self.frame.workbench.document)

    @Slot()
    def _open_dimensions(self, _data: object = None) -> None:
        DimensionsDialog(self.frame.workbench.edits, self.frame.window).open()
