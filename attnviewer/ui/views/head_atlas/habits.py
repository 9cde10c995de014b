"""The heads that follow a pattern more than all others, by its mean share."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.compute import HeadLocation, HeadSurvey
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.head_statistics import STATISTICS, in_words, with_unit
from attnviewer.ui.views.step.heads.statistics import statistics_of, values_of
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

HABITS = tuple(name for name, about in STATISTICS.items() if about.percent)
"""The statistics that are shares of the attention."""


class HabitsList(QWidget):
    """Lists for each pattern the head that has it most.

    Attributes
    ----------
    rows : LinkList
        The heads.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = LinkList(3, wide=0)
        self.rows.setObjectName("atlas.habits")
        self.rows.setAccessibleName(self.tr("Strongest heads by pattern"))
        self.rows.setAccessibleDescription(self.tr("Enter opens the head."))
        self.rows.be_as_high_as_rows(len(HABITS))
        title = QLabel(self.tr("Strongest heads by pattern"), self)
        title.setObjectName("atlas.habits.title")
        measure = ElidedLabel("atlas.habits.measure")
        measure.setText(self.tr("mean share"))
        heading = QHBoxLayout()
        heading.addWidget(title)
        heading.addWidget(measure, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(heading)
        column.addWidget(self.rows)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self.rows.set_theme(theme)

    def show_survey(
        self, survey: HeadSurvey | None, locations: Sequence[HeadLocation]
    ) -> None:
        """Show the heads.

        Parameters
        ----------
        survey : HeadSurvey or None
            What is known of all heads; None while it is not known.
        locations : sequence of HeadLocation
            Which heads these are.
        """
        rows = []
        titles = statistics_of(weights=True)
        for name in HABITS if survey is not None and survey.done else ():
            assert survey is not None
            values = values_of(survey, name, 0)  # (n,)
            if np.isnan(values).all():
                continue
            best = int(np.nanargmax(values))
            location, share = locations[best], with_unit(name, float(values[best]))
            tip = f"{location.name}: {in_words(name, share)}"
            cells = (
                Cell(titles[name].partition(" (")[0], tip),
                Cell(location.name, tip, color="link"),
                Cell(share, tip),
            )
            rows.append(Row(location, cells))
        self.rows.show_rows(rows)
        self.setVisible(bool(rows))
