"""A recording as one line, and as HTML for Jupyter."""

from collections.abc import Sequence
from html import escape

from attnviewer.recording.recorded_layer import RecordedLayer

_MOST_NAMES = 3
_COLUMNS = "layer", "name", "batch", "heads", "queries", "keys"


def recording_text(kind: str, layers: Sequence[RecordedLayer]) -> str:
    """Return how many layers there are, and the first names.

    Parameters
    ----------
    kind : str
        The name of the class.
    layers : sequence of RecordedLayer
        The layers.
    """
    count = f"{len(layers)} layer{'' if len(layers) == 1 else 's'}"
    if not layers:
        return f"<{kind} of {count}>"
    names = ", ".join(layer.called for layer in layers[:_MOST_NAMES])
    return f"<{kind} of {count}: {names}{', ...' * (len(layers) > _MOST_NAMES)}>"


def recording_html(layers: Sequence[RecordedLayer]) -> str:
    """Return a table of the layers."""
    head = "".join(f"<th>{title}</th>" for title in _COLUMNS)
    rows = "".join(
        f"<tr><td>{number}</td><td>{escape(layer.name or layer.called)}</td>"
        + "".join(f"<td>{size}</td>" for size in _sizes(layer))
        + "</tr>"
        for number, layer in enumerate(layers)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _sizes(layer: RecordedLayer) -> tuple[int, ...]:
    return layer.n_items, layer.spec.n_heads, *layer.n_tokens
