"""The texts of the Patching dock."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP

from attnviewer.ui.state.patching.effects import Effect
from attnviewer.ui.text.numbers import format_number, significant_number
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.ui.state.selection import Position

_tr = translate_in("Patching")

DECIMALS = 2
DIGITS = 4
ABLATIONS = {
    "zero": QT_TRANSLATE_NOOP("Patching", "zero"),
    "mean": QT_TRANSLATE_NOOP("Patching", "its mean"),
    "resample": QT_TRANSLATE_NOOP("Patching", "that of other sentences"),
}
SITES = {
    "heads": QT_TRANSLATE_NOOP("Patching", "outputs of heads"),
    "weights": QT_TRANSLATE_NOOP("Patching", "attention patterns"),
    "values": QT_TRANSLATE_NOOP("Patching", "values"),
    "stream": QT_TRANSLATE_NOOP("Patching", "residual stream"),
    "attention": QT_TRANSLATE_NOOP("Patching", "attention outputs"),
    "feed_forward": QT_TRANSLATE_NOOP("Patching", "MLP outputs"),
}
METRICS = {
    "difference": QT_TRANSLATE_NOOP("Patching", "difference of two logits"),
    "probability": QT_TRANSLATE_NOOP("Patching", "probability of a token"),
    "cosine": QT_TRANSLATE_NOOP("Patching", "cosine of the sentence embeddings"),
}
SOURCES = {
    "zero": "Heimersheim and Nanda 2024, arXiv:2404.15255",
    "mean": "Wang et al. 2023, arXiv:2211.00593, section 2.2",
    "resample": "Heimersheim and Nanda 2024, arXiv:2404.15255",
}
"""Where the ways to switch a head off are from."""


def words(table: Mapping[str, object], key: str) -> str:
    """Return the translated words of a table."""
    return _tr(str(table[key]))


def title(effect: Effect) -> str:
    """Name what a grid shows."""
    choices = effect.reading.choices
    if choices.way == "ablate":
        text = _tr("output of each head replaced by {what}").format(
            what=words(ABLATIONS, choices.to)
        )
    else:
        text = (
            _tr("{what} of the corrupted sentence put into the clean one")
            if choices.into_clean
            else _tr("{what} of the clean sentence put into the corrupted one")
        ).format(what=words(SITES, choices.sites))
    if effect.estimated:
        text = _tr("estimate by gradients, to first order: {what}").format(what=text)
    return text[0].upper() + text[1:]


def baselines(effect: Effect) -> str:
    """Say what the numbers of a grid are, with the metric of the sentences."""
    choices, clean = effect.reading.choices, _number(effect.clean)
    if choices.way == "ablate":
        text = _tr("Change of the {metric}, which is {clean} with all heads.")
        return text.format(metric=effect.metric, clean=clean)
    text = (
        _tr("1 = all of the difference lost, 0 = none.")
        if choices.into_clean
        else _tr("1 = all of the difference restored, 0 = none.")
    )
    pattern = _tr("{metric}: clean {clean}, corrupted {corrupted}; {scale}")
    metric = effect.metric[0].upper() + effect.metric[1:]
    corrupted = _number(effect.corrupted)
    return pattern.format(metric=metric, clean=clean, corrupted=corrupted, scale=text)


def method(effect: Effect) -> str:
    """Return the formula of a grid's numbers, and where it is from."""
    choices = effect.reading.choices
    if choices.way == "ablate":
        formula = _tr("m(run with the head replaced) − m(run).")
        return f"{formula}\n{SOURCES[choices.to]}"
    if effect.estimated:
        return _tr(
            "Σ (a_source − a_target) · ∂m/∂a over the difference of m. One backward "
            "pass; wrong where m is far from linear in the activation.\n"
            "Nanda, “Attribution Patching”, 2023; Kramár et al. 2024, arXiv:2403.00745"
        )
    return _tr(
        "(m(patched) − m(target)) / (m(source) − m(target)).\n"
        "Wang et al. 2023, arXiv:2211.00593; Zhang and Nanda 2024, arXiv:2309.16042"
    )


def place(effect: Effect, cell: "Position") -> str:
    """Name the activation of a cell, and its token."""
    name = effect.site(cell).name
    if effect.token(cell) is None:
        return name
    label = effect.grid.column_labels[cell[1]]
    return _tr("{site} at token {token}").format(site=name, token=label)


def cell_text(effect: Effect, cell: "Position") -> str:
    """Name a cell and its number."""
    value = float(effect.grid.values[cell])
    sign = "+" if value > 0 else ""
    return f"{place(effect, cell)}: {sign}{significant_number(value, DIGITS)}"


def opens(effect: Effect, cell: "Position") -> str:
    """Say what a click on a cell opens."""
    site = effect.site(cell)
    if site.kind in ("feed_forward", "stream"):
        text = _tr("Opens L{layer} of the patched sentence.")
        return text.format(layer=site.layer)
    return _tr("Opens it with these numbers as pins.")


def what_opened(effect: Effect, cell: "Position") -> str:
    """Say what has been opened for a cell."""
    choices, name = effect.reading.choices, place(effect, cell)
    if choices.way == "ablate":
        text = _tr("Open: the sentence with {place} replaced by {what}.")
        return text.format(place=name, what=words(ABLATIONS, choices.to))
    if choices.into_clean:
        text = _tr("Open: the clean sentence with {place} of the corrupted one.")
    else:
        text = _tr("Open: the corrupted sentence with {place} of the clean one.")
    return text.format(place=name)


def agreement(correlation: float) -> str:
    """Say how well the estimate agrees with what was computed."""
    if math.isnan(correlation):
        return _tr("There is no correlation: all numbers of one grid are the same.")
    text = _tr("Correlation of the estimate with the computed effects: r = {r}.")
    return text.format(r=format_number(correlation, DECIMALS))


def _number(value: float) -> str:
    return format_number(value, DECIMALS)
