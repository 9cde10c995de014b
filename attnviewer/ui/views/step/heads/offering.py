"""Numbers about heads as choices: statistics, and columns of a model's."""

from collections.abc import Iterable, Mapping

from attnviewer.compute import HeadSource
from attnviewer.ui.state.head_report import Group, HeadReport, source_of
from attnviewer.ui.text.concepts import STATISTICS
from attnviewer.ui.widgets.choice_boxes import ChoiceBox

MOST_IN_SIGHT = 25
"""Choices that are listed without scrolling."""


def offer_statistics(
    box: ChoiceBox, titles: Mapping[str, str], *, of_model: bool
) -> None:
    """Add statistics to a box, of a model's heads with the source of each."""
    for name, title in titles.items():
        source = source_of(name) if of_model else ""
        tip = "\n".join(filter(None, (STATISTICS[name].tip, source)))
        box.add_told(title, name, tip)


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
