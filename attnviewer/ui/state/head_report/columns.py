"""Columns that heads can be sorted by, besides means over their queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.text.concepts import Concept
from attnviewer.ui.text.head_statistics import STATISTICS
from attnviewer.ui.text.translation import translate_in

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.detectors import Detector

_tr = translate_in("HeadReport")
EFFECT = "effect"
"""The name of the column of effects."""
OFFSETS = range(-2, 4)
"""From the previous occurrence of a token."""
_AT_OFFSET = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "Mean attention of tokens that occurred before to the place at this offset "
        "from their previous occurrence: 0 is the same token, +1 what followed it.",
    ),
    "mean of A[i, p(i) + k] over i with an earlier p(i) and 0 ≤ p(i) + k < i",
)
_COSINE = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "How far the sentence embedding turns when the head’s output is set to zero "
        "and the layers after it are computed again.",
    ),
    "1 − cos(e, e′)",
)
_LOGIT = Concept(
    QT_TRANSLATE_NOOP(
        "Concepts",
        "By how much the logit of the most probable next token falls when the head’s "
        "output is set to zero and the layers after it are computed again.",
    ),
    "z − z′",
)


@dataclass(frozen=True, slots=True)
class Column:
    """A number about each head of a model.

    Parameters
    ----------
    name : str
        By which it is asked for.
    title : str
        What the choice of it is called.
    tip : str
        Its definition and source.
    reason : str
        Why the run does not have it; "" if it does.
    """

    name: str
    title: str
    tip: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Columns under a heading.

    Parameters
    ----------
    heading : str
        The heading.
    columns : tuple of Column
        The columns.
    """

    heading: str
    columns: tuple[Column, ...]


def columns_of(run: "ModelTrace") -> tuple[Group, ...]:
    """Return what can be computed of the heads of a run, by headings."""
    from attnviewer.models.detectors import DETECTORS
    from attnviewer.models.head_table import head_table

    table = head_table(run, detectors=DETECTORS, occurrence_offsets=OFFSETS)
    encoder = run.model.kind == "encoder"
    heading = _tr("Cosine distance") if encoder else _tr("Drop in the logit")
    concept = _COSINE if encoder else _LOGIT
    source = "Wang et al. 2023, arXiv:2211.00593"
    effect = Column(EFFECT, _tr("Effect of switching off"), _tip(concept, source))
    return (
        Group(_tr("Detectors"), _detectors(table.reasons)),
        Group(_tr("Previous occurrence"), _occurrences(table.reasons)),
        Group(heading, (effect,)),
    )


def detector_tip(detector: "Detector") -> str:
    """Return the definition and the source of a detector."""
    return _tip(Concept(detector.sentence, detector.formula), detector.source)


def source_of(statistic: str) -> str:
    """Return the source of a statistic that is a detector, too; "" of others."""
    from attnviewer.models.detectors import DETECTORS

    return DETECTORS[statistic].source if statistic in DETECTORS else ""


def _detectors(reasons: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the detectors but for those that the window has as statistics."""
    from attnviewer.models.detectors import DETECTORS

    return tuple(
        Column(
            name,
            _tr(detector.title),
            detector_tip(detector),
            reasons.get(name, ""),
        )
        for name, detector in DETECTORS.items()
        if name not in STATISTICS
    )


def _occurrences(reasons: Mapping[str, str]) -> tuple[Column, ...]:
    from attnviewer.models.head_table import offset_column

    tip = _tip(_AT_OFFSET, "+1: Olsson et al. 2022, arXiv:2209.11895")
    titles = {
        offset: _tr("Occurrence {k}").format(k=_signed(offset)) for offset in OFFSETS
    }
    names = {offset: offset_column(offset) for offset in OFFSETS}
    return tuple(
        Column(names[k], titles[k], tip, reasons.get(names[k], "")) for k in OFFSETS
    )


def _signed(offset: int) -> str:
    return f"{offset:+d}".replace("-", "−") if offset else "0"


def _tip(concept: Concept, source: str) -> str:
    return f"{concept.tip}\n{source}"
