"""A run of a model as one line, and as HTML for Jupyter."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from attnviewer.io.strict_json import shortened
from attnviewer.models.run_maps import run_maps

if TYPE_CHECKING:
    from attnviewer.models.trace import ModelTrace

MOST_TOKENS = 256
"""Maximum number of tokens that are listed; the rest is counted."""
MOST_POSITIONS = 8
"""Maximum number of replaced tokens that are listed; more are counted."""
_FRAME = "border:1px solid rgba(128,128,128,.5);border-radius:3px;padding:0 3px"


def run_html(run: "ModelTrace") -> str:
    """Return the tokens of a run, its changes, and maps of its heads."""
    model, count = run.model, len(run.ids)
    tokens = " ".join(
        f'<span style="{_FRAME}" title="{index} · id {id}">{escape(token)}</span>'
        for index, (token, id) in enumerate(
            zip(model.readable(run.tokens[:MOST_TOKENS]), run.ids, strict=False)
        )
    )
    more = f" and {count - MOST_TOKENS:,} more" if count > MOST_TOKENS else ""
    changed = "".join(
        f"<div><small>other weights in L{layer}: {escape(', '.join(weights))}"
        "</small></div>"
        for layer, weights in run.changes.items()
    )
    changed += "".join(
        f"<div><small>pinned in L{layer}: {escape('; '.join(map(str, pins)))}"
        "</small></div>"
        for layer, pins in run.pins.items()
    )
    changed += "".join(
        f"<div><small>replaced: {escape(site.name)} of {_tokens(rows.positions)}"
        "</small></div>"
        for site, rows in run.replaced.items()
    )
    family = escape(model.architecture.family)
    return (
        f"<div><b>{escape(model.name)}</b> <small>{family} · "
        f"{model.n_layers} layers of {model.n_heads} heads · {count} tokens</small>"
        f"<div>{tokens}{more}</div>{changed}{run_maps(run)}</div>"
    )


def run_text(run: "ModelTrace") -> str:
    """Return the same as one line."""
    words = shortened(" ".join(run.model.readable(run.tokens[:MOST_TOKENS])))
    changed = [f"L{layer} {' '.join(names)}" for layer, names in run.changes.items()]
    suffix = f", with other weights in {', '.join(changed)}" if changed else ""
    if run.pins:
        suffix += f", with pins in {', '.join(f'L{layer}' for layer in run.pins)}"
    if run.replaced:
        names = ", ".join(site.name for site in run.replaced)
        suffix += f", with replaced {names}"
    return (
        f"<ModelTrace of {run.model.name} over {len(run.ids)} tokens: {words}{suffix}>"
    )


def _tokens(positions: Sequence[int]) -> str:
    """Return which tokens, as words."""
    if len(positions) == 1:
        return f"token {positions[0]}"
    if len(positions) <= MOST_POSITIONS:
        return f"tokens {', '.join(map(str, positions))}"
    return f"{len(positions)} tokens"
