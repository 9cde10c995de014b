"""Pinning a state to compare with."""

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.step.difference.pinning import PinButton, Pinning


class PinningFeature(Feature):
    """Pins the present state as the baseline, by menu, shortcut and button."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        baseline = frame.workbench.baseline
        pinning = Pinning(baseline, frame.window)
        frame.menus.add("view.baseline", pinning.actions)
        frame.bar.add_button(PinButton(pinning, baseline, frame.bar), 80)
