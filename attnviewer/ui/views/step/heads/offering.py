"""Columns of numbers about a model's heads as choices under headings."""

from collections.abc import Iterable

from attnviewer.compute import HeadSource
from attnviewer.ui.state.head_report import Group, HeadReport
from attnviewer.ui.widgets.choice_boxes import ChoiceBox

MOST_IN_SIGHT = 25
"""Choices that are listed without scrolling."""


def offer_groups(box: ChoiceBox, groups: Iterable[Group]) -> None:
    """Add columns to a box; those that a run does not have tell why."""
    for group in groups:
        box.add_heading(group.heading)
        for column in group.columns:
            tip = "\n".join(filter(None, (column.tip, column.reason)))
            box.add_told(column.title, column.name, tip, refused=bool(column.reason))


def groups_about(source: HeadSource, report: HeadReport | None) -> tuple[Group, ...]:
    """Return what a report knows of heads: nothing unless they are a model's."""
    return report.groups if report is not None and source.layers else ()
