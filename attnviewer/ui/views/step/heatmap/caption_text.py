"""The texts in the caption of a heatmap."""

from collections import Counter

from attnviewer.ui.paint.color_limits import filter_text
from attnviewer.ui.paint.color_scale import (
    INFINITE,
    MINUS_INFINITE,
    NAN,
    OVER,
    UNDER,
)
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.step_scale import is_large
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.text.cached import cached_legend
from attnviewer.ui.text.folding import folded_words
from attnviewer.ui.text.matrix_numbers import exponent_for, factor_text
from attnviewer.ui.text.matrix_sizes import how_many_columns, how_many_rows
from attnviewer.ui.text.number_format import LOOKED_AT
from attnviewer.ui.text.numbers import MINUS, significant_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.heatmap.caption import Entry
from attnviewer.ui.views.step.heatmap.patterns import MASKED
from attnviewer.ui.views.step.heatmap.statistics_reader import Facts

_tr = translate_in("Heatmap")

DIGITS = 4
_NOT_FINITE = {NAN: "NaN", INFINITE: "∞", MINUS_INFINITE: f"{MINUS}∞"}


def said_of(
    content: StepContent,
    block: tuple[int, int],
    facts: Facts | None,
    marked: Marked,
    *,
    exponent: int = 0,
    cached: bool = False,
) -> list[Entry]:
    """Return the caption of a picture.

    Parameters
    ----------
    content : StepContent
        The step.
    block : tuple of two int
        Rows and columns of the cells that share a colour.
    facts : Facts or None
        The statistics of all cells, once known.
    marked : Marked
        The marked rows and columns.
    exponent : int
        The power of ten that the drawn numbers are divided by; that of a small step
        follows from its statistics.
    cached : bool
        Whether keys in the cache are underlined.
    """
    entries = []
    if facts is not None and content.shape[0] * content.shape[1] <= LOOKED_AT:
        exponent = exponent_for(facts.reach)
    if exponent:
        entries.append(Entry(_tr("numbers {0}").format(factor_text(exponent))))
    if cached:
        entries.append(Entry(cached_legend()))
    if content.folding is not None:
        entries.append(Entry(folded_words(content.folding)))
    if max(block) > 1:
        entries.append(Entry(_pooling(content, block)))
    if content.look.policy == "percentile" and is_large(content.shape):
        entries.append(Entry(_tr("percentiles of block minima and maxima")))
    if facts is None:
        return entries
    if marked and facts.count:
        entries.append(Entry(_marked(facts, marked)))
    if content.look.filter is not None:
        entries.append(Entry(_filter(content, facts)))
    counts = Counter(facts.kinds)
    # They share a tile; the cells say which it is.
    odd = [sign for kind, sign in _NOT_FINITE.items() if counts.pop(kind, 0)]
    if odd:
        counts[NAN] = 1
    kinds = {
        NAN: ", ".join(odd),
        OVER: _tr("above {0}").format(_number(content.scale.high)),
        UNDER: _tr("below {0}").format(_number(content.scale.low)),
        MASKED: _tr("masked"),
    }
    known = (kind for kind in kinds if counts[kind])
    # A mask is obvious; alone it needs no legend.
    found = [kind for kind in known if kind != MASKED]
    if found and counts[MASKED]:
        found.append(MASKED)
    return [*entries, *(Entry(kinds[kind], kind) for kind in found)]


def _pooling(content: StepContent, block: tuple[int, int]) -> str:
    cells = f"{block[0]}×{block[1]}"
    if content.look.pooling == "mean":
        return _tr("mean of {0} cells").format(cells)
    if content.signed:
        return _tr("largest magnitude of {0} cells").format(cells)
    return _tr("maximum of {0} cells").format(cells)


def _marked(facts: Facts, marked: Marked) -> str:
    parts = []
    if marked.rows:
        parts.append(how_many_rows(len(marked.rows)))
    if marked.columns:
        parts.append(how_many_columns(len(marked.columns)))
    return _tr("{lines}: {count} cells · sum {total} · mean {mean}").format(
        lines=" × ".join(parts),
        count=facts.count,
        total=_number(facts.total),
        mean=_number(facts.total / facts.count),
    )


def _filter(content: StepContent, facts: Facts) -> str:
    assert content.look.filter is not None
    rows, columns = content.shape
    return _tr("{shown} of {all} cells shown: {rule}").format(
        shown=facts.shown,
        all=rows * columns,
        rule=filter_text(content.look.filter, signed=content.signed),
    )


def _number(value: float) -> str:
    return significant_number(value, DIGITS)
