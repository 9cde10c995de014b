"""Columns of a survey: what heads do over many texts."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.ui.state.head_report.columns import Column, Group, detector_tip
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import Model, Survey

_tr = translate_in("HeadReport")
DIGITS = 3


class SurveyReading:
    """Reads the survey of a model, as a job for a worker.

    Parameters
    ----------
    path : Path
        The file.
    model : Model
        The model that the survey is to be of.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    survey : Survey or None
        The result.
    """

    def __init__(self, path: Path, model: "Model") -> None:
        self.path, self.model = path, model
        self.stopped = False
        self.survey: Survey | None = None

    def run(self) -> None:
        """Read it.

        Raises
        ------
        FileError
            If it cannot be read, or is damaged.
        ValueError
            If it is of another model.
        """
        from attnviewer.models import open_survey

        survey = open_survey(self.path)
        model = self.model
        if survey.fingerprint != model.fingerprint:
            wanted = _named(model.name, model.n_layers, model.n_heads)
            found = _named(survey.model, survey.n_layers, survey.n_heads)
            if found == wanted:
                found = _tr("a model of the same name with other weights")
            raise ValueError(
                _tr(
                    "{file}: The survey must be of the open model, {wanted}. "
                    "Got {found} instead."
                ).format(file=self.path.name, wanted=wanted, found=found)
            )
        self.survey = survey


class SurveyColumns:
    """The columns of a survey, the mean of each of its metrics.

    Parameters
    ----------
    survey : Survey
        The survey.
    model : Model
        Its model.

    Attributes
    ----------
    group : Group
        The columns.
    survey, model
        The parameters.
    """

    def __init__(self, survey: "Survey", model: "Model") -> None:
        from attnviewer.models.detectors import DETECTORS

        self.survey, self.model = survey, model
        self._metrics = {f"survey.{metric}": metric for metric in survey.metrics}
        mean = _tr("{title}, mean")
        heading = _tr("Over {count} texts").format(count=f"{survey.n_texts:,}")
        columns = (
            Column(
                name,
                mean.format(title=_tr(DETECTORS[metric].title)),
                detector_tip(DETECTORS[metric]),
            )
            for name, metric in self._metrics.items()
        )
        self.group = Group(heading, tuple(columns))

    def values(self, name: str) -> "Array | None":
        """Return the means of a column, shape (heads,); None if there is none."""
        metric = self._metrics.get(name)
        return None if metric is None else self.survey.grid(metric).values.ravel()

    def notes(self, name: str) -> list[str]:
        """Tell the spread and the extremes of each head; nothing of other columns."""
        survey = self.survey
        if name not in self._metrics:
            return []
        place = survey.metrics.index(self._metrics[name])
        statistics = survey.spread, survey.minimum, survey.maximum, survey.count
        rows = zip(*(each[place].ravel().tolist() for each in statistics), strict=True)
        text = _tr("spread {spread}, {least} to {most} in {count} texts")
        return [
            text.format(
                spread=significant_number(spread, DIGITS),
                least=significant_number(least, DIGITS),
                most=significant_number(most, DIGITS),
                count=f"{count:,}",
            )
            if count
            else ""
            for spread, least, most, count in rows
        ]


def _named(name: str, layers: int, heads: int) -> str:
    text = _tr("{name} with {layers} layers of {heads} heads")
    return text.format(name=name, layers=layers, heads=heads)
