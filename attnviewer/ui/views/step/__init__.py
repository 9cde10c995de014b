"""The step view: the chosen step large, as a heatmap or a table."""

from attnviewer.ui.views.step.view import StepView

__all__ = ["StepView"]
