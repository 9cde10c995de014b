"""The temperature beside the picture of the softmax, apart from the bar."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.compute import NORMALIZERS, Spec
from attnviewer.document import exact_text
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.spec.spec_choices import SpecChoices
from attnviewer.ui.views.spec.temperature import TemperatureBox
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect


class TemperatureControl(TemperatureBox):
    """A slider with its number that edits the temperature of the document.

    Parameters
    ----------
    edits : EditStack
        Where the edits go.
    reason : ReasonBubble
        Says why a temperature was refused.
    parent : QWidget
        The Qt parent.
    """

    def __init__(self, edits: EditStack, reason: ReasonBubble, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("how.temperature")
        for control in (self.slider, self.number):
            control.setObjectName(f"how.{control.objectName().removeprefix('spec.')}")
        self._edits, self._reason = edits, reason
        self._choices = SpecChoices(edits, reason, self)
        self.chosen.connect(self._on_chosen)
        self.refused.connect(self._on_refused)

    def show_spec(self, spec: Spec) -> None:
        """Show the temperature of a spec."""
        self.set_temperature(spec.temperature)
        cancels = NORMALIZERS[spec.normalizer].cancels_temperature
        self.set_effective(effective=not cancels)

    @Slot(float, object)
    def _on_chosen(self, temperature: float, gesture: object) -> None:
        label = self.tr("Set temperature to {}").format(exact_text(temperature))
        rect = global_rect(self)
        if not self._choices.change(label, rect, gesture, temperature=temperature):
            self.show_spec(self._edits.document.spec)

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        self._reason.say(reason, global_rect(self))
