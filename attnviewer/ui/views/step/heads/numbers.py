"""The number about each head that is shown, and by which heads are sorted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attnviewer.compute import Array, HeadSource, HeadSurvey, Windowed
from attnviewer.ui.state.head_report import HeadReport, Tint, tint_of
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heads.statistics import (
    CELL,
    UNKNOWN,
    Caption,
    all_statistics,
    captions_of,
    cell_captions,
    cell_values,
    in_short,
    values_of,
)


@dataclass(frozen=True, slots=True, eq=False)
class HeadNumbers:
    """The known numbers of heads.

    Parameters
    ----------
    source : HeadSource
        Where they come from.
    matrices : sequence of Windowed
        Their matrices.
    survey : HeadSurvey or None
        What is known of the matrices.
    report : HeadReport or None
        What is known of a model's heads.
    cell : tuple of two int or None
        The selected cell.
    reference : int
        The place of the head that others are compared with.
    name : str
        What that head is called.
    """

    source: HeadSource
    matrices: Sequence[Windowed]
    survey: HeadSurvey | None
    report: HeadReport | None
    cell: Position | None
    reference: int = 0
    name: str = ""

    def values(self, statistic: str) -> Array | None:
        """Return a number about each head, shape (n,); None while it is not known.

        Parameters
        ----------
        statistic : str
            One of `statistics_of`, or the name of a column of the report.
        """
        if statistic == CELL:
            return cell_values(self.matrices, self.cell)
        if self.report is not None and self.report.column(statistic) is not None:
            return self.report.values(statistic, self.source)
        if self.survey is None or not self.survey.done:
            return None
        return values_of(self.survey, statistic, self.reference)

    def tint(self, statistic: str) -> Tint | None:
        """Return by what a model's heads are tinted; None for no tint."""
        if self.report is None or not self.source.layers:
            return None
        return tint_of(self.report, statistic, self.source)

    def captions(self, statistic: str, *, every: bool = False) -> list[Caption]:
        """Write the number about each head.

        Parameters
        ----------
        statistic : str
            As for `values`.
        every : bool
            Whether to add all means over the queries as far as they are known.
        """
        texts = self._captions(statistic)
        if not every or self.survey is None or not self.survey.done:
            return texts
        lines = all_statistics(self.survey)
        return [replace(t, every=e) for t, e in zip(texts, lines, strict=True)]

    def _captions(self, statistic: str) -> list[Caption]:
        values = self.values(statistic)
        if values is None:
            return [UNKNOWN] * len(self.matrices)
        if statistic == CELL:
            return cell_captions(values)
        column = None if self.report is None else self.report.column(statistic)
        if column is None:
            assert self.survey is not None
            return captions_of(self.survey, statistic, self.reference, self.name)
        assert self.report is not None
        shorts = in_short(values)
        longs = [f"{column.title} {short}" for short in shorts]
        notes = self.report.notes(statistic)
        if notes:
            pairs = zip(longs, notes, strict=True)
            longs = [f"{long}, {note}" if note else long for long, note in pairs]
        return [Caption(*texts) for texts in zip(longs, shorts, strict=True)]
