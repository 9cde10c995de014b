"""The texts of the Patterns panel."""

from attnviewer.compute.number_text import bytes_text
from attnviewer.compute.patterns import DEFINITIONS, HeadPatterns, Needle
from attnviewer.ui.state.patterns import Costs
from attnviewer.ui.text.marked_rows import marked_sentence
from attnviewer.ui.text.numbers import format_number, rounded_or_dash
from attnviewer.ui.text.tokens import quoted_token
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Patterns")

DECIMALS = 4
UNBROKEN = "\u00a0"
"""A non-breaking space."""


def percent(share: float) -> str:
    """Return a share in per cent; a dash if there is none."""
    return f"{rounded_or_dash(100 * share, 1)}{UNBROKEN}%"


def budget_sentence(found: HeadPatterns) -> str:
    """Return the cheapest budget with its cells."""
    budget = found.cheapest
    name = str(budget).replace(" %", f"{UNBROKEN}%")
    return _tr("Cheapest: {budget}: {kept}.").format(budget=name, kept=budget.kept)


def budgets_tip(found: HeadPatterns) -> str:
    """Return the definition of a budget, and all budgets."""
    lines = (f"{budget}: {budget.kept}" for budget in found.budgets.values())
    return "\n".join((DEFINITIONS["budget"], *lines))


def needle_tip(needle: Needle, query: str, key: str) -> str:
    """Return a distant weight in a sentence."""
    return _tr(
        "{query}, query {row}, attends to {key}, key {column}, with {weight}; "
        "Enter selects the cell"
    ).format(
        query=quoted_token(query),
        row=needle.query,
        key=quoted_token(key),
        column=needle.key,
        weight=format_number(needle.weight, DECIMALS),
    )


def duration(seconds: float) -> str:
    """Return about how long something takes."""
    if seconds < 90:
        return _tr("{count} s").format(count=max(1, round(seconds)))
    return _tr("{count} min").format(count=round(seconds / 60))


def sight_sentence(rows: slice, n_marked: int) -> str:
    """Return which rows are in sight, and how many of them are left out."""
    text = _tr("In sight: queries {first:,} to {last:,}, around the selected one.")
    told = text.format(first=rows.start, last=rows.stop - 1)
    return f"{told} {marked_sentence(n_marked)}".strip()


def cache_sentence(costs: Costs) -> str:
    """Return what a KV cache takes; "" where there is none."""
    sizes = costs.cache
    if sizes is None:
        return ""
    whole, part = sizes
    if whole == part:
        text = _tr(
            "KV cache: {whole} for all keys, as later queries may need any of them "
            "with this set, too."
        )
        if costs.keys_ahead < costs.n_keys:
            text = _tr(
                "KV cache: {whole} for the {count:,} keys in the mask's window, as the "
                "next query may need any of them with this set, too."
            )
        return text.format(whole=_size(whole), count=costs.keys_ahead)
    text = _tr("KV cache: {part} instead of {whole} ({share}).")
    return text.format(
        part=_size(part), whole=_size(whole), share=percent(part / whole)
    )


def _size(count: int) -> str:
    return bytes_text(count).replace(" ", UNBROKEN)
