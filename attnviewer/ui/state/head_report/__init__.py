"""Numbers about all heads of the open model, by which heads are found."""

from attnviewer.ui.state.head_report.columns import Column, Group, source_of
from attnviewer.ui.state.head_report.report import HeadReport

__all__ = ["Column", "Group", "HeadReport", "source_of"]
