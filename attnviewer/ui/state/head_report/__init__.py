"""Numbers about all heads of the open model, by which heads are found."""

from attnviewer.ui.state.head_report.columns import Column, Group, source_of
from attnviewer.ui.state.head_report.report import HeadReport
from attnviewer.ui.state.head_report.tint import Shares, Tint, tint_of

__all__ = [
    "Column",
    "Group",
    "HeadReport",
    "Shares",
    "Tint",
    "source_of",
    "tint_of",
]
