"""Texts above the bars of a row: titles, rules and notes."""

from collections.abc import Iterator
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF

from attnviewer.compute.expression import Expression, Named
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.rules import in_symbols
from attnviewer.ui.text.tokens import quoted
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.drawing import Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.sheets import LABEL, SMALL

_tr = translate_in("How")

PANEL_TITLE, HEADING = 15.0, 22.0
LONGEST_RULE = 32
_APART = 6.0
"""Room beside a title, and beside a note."""
_RAISED, _EXPONENT = 5.0, 11.0
"""How far an exponent is raised, and the height of its font."""


def panel_title(
    normalizer: Normalizer, token: str, width: float, measures: Measures
) -> str:
    """Return the title of the bars of a row, without the row where that is too long."""
    bars = _tr("unchanged scores") if normalizer.name == "none" else normalizer.title
    title = _tr("{bars} of row {token}").format(bars=bars, token=quoted(token))
    fits = measures.width(title, measures(PANEL_TITLE)) <= width
    return title if fits else bars


def strongest_of(drawn: int, every: int) -> str:
    """Return how many of the keys are drawn."""
    return _tr("{drawn} of {all} keys").format(drawn=drawn, all=every)


def rule_of(part: Expression) -> str:
    """Return how a part of each key is computed, with the maximum as Explain has it."""
    # The rest are the definitions of its abbreviations.
    rule = in_symbols(part.body if isinstance(part, Named) else part).split(", ")[0]
    return rule.replace("maxᵢ", "mᵢ") if len(rule) <= LONGEST_RULE else ""


def titles(
    title: str, rule: str, note: str, box: QRectF, measures: Measures
) -> Iterator[Text]:
    """Yield the title of bars, their rule and a note at the right, as far as they fit.

    Parameters
    ----------
    title : str
        What the bars are.
    rule : str
        How they are computed; left out first.
    note : str
        Numbers that belong to them; of several, the last one stays longest.
    box : QRectF
        The room of the bars with their titles.
    measures : Measures
        Sizes.
    """
    room, high = box.width(), measures(HEADING)
    last = note.rpartition("   ")[2]
    corner = box.left(), box.top()
    for one_rule, one_note in ((rule, note), ("", note), ("", last), ("", "")):
        texts, long = _headed(title, one_rule, corner, room, measures)
        noted = measures.width(one_note, measures(SMALL), "number") + measures(_APART)
        if long + noted <= room or not one_note:
            break
    yield from texts
    if one_note:
        place = QRectF(box.right() - noted, box.top(), noted, high)
        size = measures(SMALL)
        yield Text(one_note, place, size, "muted", "right", "normal", "number")


# They are the same after each edit.
@lru_cache(maxsize=64)
def _headed(
    title: str,
    rule: str,
    corner: tuple[float, float],
    room: float,
    measures: Measures,
) -> tuple[tuple[Text, ...], float]:
    """Return a title and its rule at a corner of a room, and the width they need."""
    # Each has a rectangle of its own, so that a new note does not repaint the title.
    wide = measures.width(title, measures(LABEL)) + measures(_APART)
    place = QRectF(*corner, min(room, wide), measures(HEADING))
    heading = Text(title, place, measures(LABEL), "text", "left", "bold")
    rules = tuple(_rule(rule, place.topRight(), measures))
    return (heading, *rules), wide + sum(text.rect.width() for text in rules)


def _parts(rule: str) -> tuple[str, str]:
    """Return a rule as a base and an exponent, which may be empty."""
    if rule.startswith("e^(") and rule.find(")") == len(rule) - 1:
        return "e", rule[3:-1]
    return rule, ""


def _rule(rule: str, place: QPointF, measures: Measures) -> Iterator[Text]:
    """Yield a rule, its exponent raised."""
    if not rule:
        return
    base, exponent = _parts(rule)
    size, high = measures(LABEL), measures(HEADING)
    rect = QRectF(place.x(), place.y(), measures.width(base, size) + 1, high)
    yield Text(base, rect, size, "text", "left")
    if exponent:
        size = measures(_EXPONENT)
        top, wide = place.y() - measures(_RAISED), measures.width(exponent, size)
        raised = QRectF(rect.right(), top, wide + measures(_APART), high)
        yield Text(exponent, raised, size, "text", "left")
