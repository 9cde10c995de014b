"""Texts of a split score."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnviewer.compute import HeadLocation
from attnviewer.document import Labels, distinct_label
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.text.numbers import format_number, signed_number
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.heads.layers import Goal

if TYPE_CHECKING:
    from attnviewer.models.residual import Component
    from attnviewer.models.residual.score_parts import ScoreParts

_tr = translate_in("ScoreSplit")

LISTED = 6
"""How many pairs are listed."""
DECIMALS = 2
ROUNDED_TO_ZERO = 0.5 * 10**-DECIMALS
"""Scores below it have no shares: they would say nothing about the terms."""


@dataclass(frozen=True, slots=True)
class TwoTokens:
    """The tokens of a score in running text.

    Parameters
    ----------
    query, key : str
        The tokens in quotes, with their positions where they occur more than once.
    """

    query: str
    key: str

    @classmethod
    def of(cls, parts: "ScoreParts", labels: Labels) -> "TwoTokens":
        """Return those of a split score."""
        query = distinct_label("queries", labels, parts.query, token_label)
        key = distinct_label("keys", labels, parts.key, token_label)
        return cls(quoted(query), quoted(key))

    def pair(self, query: object, key: object) -> str:
        """Name a pair of components."""
        pattern = _tr("{query} at {at} × {key} at {to}")
        return pattern.format(query=query, at=self.query, key=key, to=self.key)


def summary(parts: "ScoreParts") -> str:
    """Say what the score is the sum of, and how much of it the listed pairs are."""
    count, score = len(parts.components), parts.score
    listed = min(LISTED, count * count)
    text = _tr(
        "The scaled score {score} is the sum of {count} × {count} terms, one for each "
        "pair of what was written at the query (rows) and at the key (columns)."
    ).format(score=format_number(score, DECIMALS), count=count)
    if parts.pins:
        pinned = _tr("Pins add {number}.")
        text += " " + pinned.format(number=signed_number(parts.pins, DECIMALS))
    largest = sum(pair.value for pair in parts.pairs(listed))
    number = format_number(largest, DECIMALS)
    share = share_text(largest, score)
    if share:
        pattern = _tr("The {listed} largest add up to {number}, {share}.")
    else:
        pattern = _tr("The {listed} largest add up to {number}.")
    return f"{text} {pattern.format(listed=listed, number=number, share=share)}"


def term_text(name: str, value: float, score: float) -> str:
    """Say what a pair adds to a score, also as a share of it."""
    number, share = signed_number(value, 2 * DECIMALS), share_text(value, score)
    return f"{name}: {number}, {share}" if share else f"{name}: {number}"


def share_text(value: float, score: float) -> str:
    """Return a term's share of a score; "" where the score is about zero."""
    if abs(score) < ROUNDED_TO_ZERO:
        return ""
    share = format_number(100 * value / score, 1)
    return _tr("{share} % of the score").format(share=share)


def goal_of(component: "Component") -> Goal:
    """Return the head that a component is the output of, or the layer it belongs to.

    Embeddings belong to the layer that they enter, the first one.
    """
    if component.head is not None:
        return HeadLocation(component.layer, component.head)
    return ModelLocation(component.layer or 0)
