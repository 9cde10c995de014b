"""Texts of the page of a head."""

import math
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.head_groups import served_heads, serving_head
from attnviewer.ui.state.head_page.report import Rank
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.translation import translate_in

if TYPE_CHECKING:
    from attnviewer.models import Model
    from attnviewer.models.circuits import Circuit
    from attnviewer.models.detectors import Detector
    from attnviewer.ui.state.head_page.weights import Circuits

_tr = translate_in("HeadPage")

DECIMALS = 3
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def rank_text(rank: Rank) -> str:
    """Return a rank in short: ``2nd of 72``, ``=1st of 72`` where heads share it."""
    pattern = _tr("{rank} of {count}")
    if rank.last > rank.first:
        pattern = _tr("={rank} of {count}")
    return pattern.format(rank=_ordinal(rank.first), count=rank.count)


def rank_sentence(rank: Rank) -> str:
    """Say which rank a head has, the largest number first."""
    pattern = _tr("{rank} of {count} heads, the largest number first.")
    if rank.last > rank.first:
        pattern = _tr(
            "{rank} of {count} heads, the largest number first; {shared} share it."
        )
    return pattern.format(
        rank=_ordinal(rank.first), count=rank.count, shared=rank.last - rank.first + 1
    )


def definition(detector: "Detector") -> str:
    """Return what a number is, its formula and its source."""
    return f"{detector.sentence}\n{detector.formula}\n{detector.source}"


def about_keys(model: "Model", head: int) -> str:
    """Say which heads share keys and values with a head; "" if none does."""
    count, serving = model.n_heads, model.architecture.n_kv_heads
    group = served_heads(serving_head(head, count, serving), count, serving)
    others = [f"H{other}" for other in group if other != head]
    pattern = _tr("It shares its keys and values with {heads}.")
    return pattern.format(heads=", ".join(others)) if others else ""


def norm_text(circuit: "Circuit", index: int) -> str:
    """Say a singular value, and how much of the norm those up to it hold."""
    values = circuit.singular_values
    squares = float((values**2).sum())
    share = float((values[: index + 1] ** 2).sum()) / squares if squares else np.nan
    text = _tr("σ{number} = {value}. ").format(
        number=index + 1, value=format_number(float(values[index]), DECIMALS)
    )
    if math.isnan(share):
        return text + _tr("The circuit is zero.")
    percent = format_number(100 * share, 1)
    if index == 0:
        return text + _tr("It holds {share} % of ‖M‖².").format(share=percent)
    pattern = _tr("The first {count} of {all} hold {share} % of ‖M‖².")
    return text + pattern.format(count=index + 1, all=len(values), share=percent)


def eigenvalues_text(circuits: "Circuits") -> str:
    """Say how positive the eigenvalues of the OV circuit are."""
    values = circuits.ov.eigenvalues
    if math.isnan(circuits.positive):
        return _tr("All eigenvalues of the OV circuit are zero.")
    pattern = _tr(
        "Eigenvalues of OV: {count} of {all} have a positive real part; "
        "Σ Re λ / Σ |λ| = {share}."
    )
    return pattern.format(
        count=int((values.real > 0).sum()),
        all=len(values),
        share=format_number(circuits.positive, DECIMALS),
    )


def copying_text(score: float | None, trouble: str) -> str:
    """Say the copying score, or why there is none."""
    if trouble:
        return _tr("No copying score: {reason}").format(reason=trouble)
    if score is None:
        return _tr("Copying score: computing…")
    number = "—" if math.isnan(score) else format_number(score, DECIMALS)
    return _tr("Copying score: {number}").format(number=number)


def _ordinal(number: int) -> str:
    suffix = "th" if 10 <= number % 100 <= 20 else _SUFFIXES.get(number % 10, "th")
    return f"{number}{suffix}"
