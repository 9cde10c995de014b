"""The texts of the Generate dock."""

from typing import TYPE_CHECKING

from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.generation import Step
    from attnviewer.models.next_token import NextToken

_tr = translate_in("Generation")

DECIMALS = 3
MOST_LAYERS = 48
"""How many layers a tool tip lists."""


def cache_text(step: "Step | None") -> str:
    """Return the size of the cache at a step, with how it comes about."""
    if step is None:
        return _tr("The first step fills the cache with the sentence.")
    sizes, model = step.cache_bytes, step.run.model
    total_size = _tr("Cache: {total} bytes").format(total=f"{sizes.sum():,}")
    if (sizes != sizes[0, 0]).any():
        return _tr("{total_size}; layers with a window keep the tokens in it").format(
            total_size=total_size
        )
    n_layers, n_heads = sizes.shape
    d_head = model.architecture.d_head
    return _tr(
        "{total_size} = 2 (K and V) · {layers} layers · {heads} key/value heads · "
        "{tokens} tokens · {d_head} numbers of 4 bytes"
    ).format(
        total_size=total_size,
        layers=n_layers,
        heads=n_heads,
        tokens=int(sizes[0, 0]) // (2 * d_head * 4),
        d_head=d_head,
    )


def cache_tip(step: "Step | None") -> str:
    """Return the size of the cache by layer and head."""
    if step is None:
        return ""
    pattern = _tr("layer {layer}: {heads} key/value heads of {bytes} bytes")
    lines = [
        pattern.format(layer=layer, heads=len(heads), bytes=f"{heads[0]:,}")
        for layer, heads in enumerate(step.cache_bytes[:MOST_LAYERS])
    ]
    if len(step.cache_bytes) > MOST_LAYERS:
        lines.append("…")
    return "\n".join(lines)


def prompt_row(run: "ModelTrace", *, shown: bool) -> Row:
    """Return the row of the sentence before its first generated token."""
    tip = _tr("The sentence without generated tokens")
    sentence = _tr("the sentence, {count} tokens").format(count=len(run.ids))
    return Row(0, (Cell("", tip), Cell(sentence, tip, bold=shown), Cell("", tip)))


def step_row(number: int, step: "Step", *, shown: bool) -> Row:
    """Return the row of a generated token."""
    (name,) = step.run.model.readable([step.token.token])
    label, position = token_label(name), str(len(step.run.ids) - 1)
    others = "\n".join(_line(step, other) for other in step.alternatives)
    tip = _tr("{token} at position {position}. The most probable tokens:").format(
        token=_line(step, step.token), position=position
    )
    tip = f"{tip}\n{others}"
    share = step.token.probability
    cells = (
        Cell(position, tip, color="muted"),
        Cell(label, tip, bold=shown),
        Cell(format_number(share, DECIMALS), tip, share),
    )
    return Row(number, cells)


def _line(step: "Step", token: "NextToken") -> str:
    (name,) = step.run.model.readable([token.token])
    return f"{token_label(name)} {format_number(token.probability, DECIMALS)}"
