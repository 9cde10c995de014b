"""The texts of the Recording dock."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attnviewer.document import exact_text
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

if TYPE_CHECKING:
    from attnviewer.recording.recorded_layer import RecordedLayer

_tr = translate_in("Recording")


def layer_row(number: int, layer: "RecordedLayer", *, shown: bool) -> Row:
    """Return the row of a layer."""
    tip = layer_tip(layer)
    texts = layer_name(layer), mask_text(layer), heads_text(layer), tokens_text(layer)
    cells = (Cell(text, tip, bold=shown) for text in texts)
    return Row(number, (Cell(str(number), tip, color="muted"), *cells))


def layer_name(layer: "RecordedLayer") -> str:
    """Return the name of a layer in its module."""
    return layer.name or _tr("the module itself")


def heads_text(layer: "RecordedLayer") -> str:
    """Return how many heads a layer has, and how many of keys and values."""
    spec = layer.spec
    own = str(spec.n_heads)
    return own if spec.kv_heads == spec.n_heads else f"{own}/{spec.kv_heads}"


def tokens_text(layer: "RecordedLayer") -> str:
    """Return how many queries and keys a layer has."""
    queries, keys = layer.n_tokens
    return str(keys) if queries == keys else f"{queries}×{keys}"


def mask_text(layer: "RecordedLayer") -> str:
    """Return what hides keys of a layer, and whether scores are added to."""
    spec = layer.spec
    parts = []
    if spec.causal:
        parts.append(_tr("causal"))
    if spec.window is not None:
        parts.append(_tr("window"))
    if spec.mask:
        parts.append(_tr("given"))
    if spec.bias:
        parts.append(_tr("bias"))
    return " + ".join(parts) or "–"


def layer_tip(layer: "RecordedLayer") -> str:
    """Return all that was recorded of a layer, line by line."""
    spec = layer.spec
    lines = [
        f"{name} {'×'.join(map(str, array.shape))}"
        for name, array in layer.inputs.items()
    ]
    if spec.kv_heads != spec.n_heads:
        pattern = _tr("{heads} heads, {kv} key/value heads")
        lines.append(pattern.format(heads=spec.n_heads, kv=spec.kv_heads))
    if spec.scale is not None:
        lines.append(_tr("scale {number}").format(number=exact_text(spec.scale)))
    if spec.softcap is not None:
        cap = exact_text(spec.softcap)
        lines.append(_tr("soft cap {number}").format(number=cap))
    lines.append(
        _tr("The output of the module was recorded: it can be checked.")
        if layer.output is not None
        else unchecked_text()
    )
    return "\n".join([layer_name(layer), *lines])


def unchecked_text() -> str:
    """Return why a layer cannot be checked."""
    return _tr("The output of this layer was not recorded: nothing can be checked.")


def options_as_text(meant: Mapping[str, float | bool | None]) -> dict[str, str]:
    """Return what a layer is meant to compute, as the form of a check has it.

    Parameters
    ----------
    meant : mapping of str to float, bool or None
        See `RecordedLayer.meant`.
    """
    given = {name: value for name, value in meant.items() if value not in (None, False)}
    texts = {
        name: "true" if value is True else exact_text(float(value))
        for name, value in given.items()
        if value is not None
    }
    if "scale" in texts:
        texts["more"] = f"scale={texts.pop('scale')}"
    return texts
