"""The parts that the residual stream of a run is a sum of."""

from dataclasses import dataclass
from typing import Literal

from attnviewer.models.activations import Kind as SiteKind
from attnviewer.models.activations import Site

Kind = Literal[
    "token",
    "position",
    "type",
    "embedding_norm",
    "embedding_bias",
    "head",
    "attention_bias",
    "pins",
    "attention_norm",
    "mlp",
    "mlp_norm",
    "input_norm",
    "projection_bias",
    "final_norm",
    "stream",
    "after_attention",
]

_LABELS: dict[Kind, str] = {
    "token": "token embedding",
    "position": "position embedding",
    "type": "type embedding",
    "embedding_norm": "embedding norm bias",
    "embedding_bias": "embedding projection bias",
    "attention_bias": "b_O",
    "pins": "pins",
    "attention_norm": "attention norm bias",
    "mlp": "MLP",
    "mlp_norm": "MLP norm bias",
    "input_norm": "input norm bias",
    "projection_bias": "b_Q and b_K",
    "final_norm": "final norm bias",
    "stream": "replaced stream",
    "after_attention": "replaced after attention",
}

_SITES: dict[Kind, SiteKind] = {
    "head": "heads",
    "mlp": "feed_forward",
    "pins": "attention",
    "stream": "stream",
    "after_attention": "after_attention",
}


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the residual stream, or of what is computed from it.

    Parameters
    ----------
    kind : str
        ``token``, ``position`` and ``type`` embeddings, and ``embedding_bias``, the
        bias of what takes them to the width of the model; a ``head``;
        ``attention_bias``, which is b_O; an ``mlp`` with its biases; the bias of a
        norm: ``embedding_norm``, ``attention_norm``, ``mlp_norm``, ``input_norm``
        or ``final_norm``; ``projection_bias``, b_Q for a query and b_K for a key;
        ``pins`` on the output of a layer's attention; what replaces the ``stream``
        that enters a layer, or that ``after_attention``, and all that was in it.
    layer, head : int or None
        The layer and the head that it belongs to, counted from zero.

    Examples
    --------
    >>> str(Component("head", 3, 1))
    'L3 H1'
    """

    kind: Kind
    layer: int | None = None
    head: int | None = None

    @property
    def site(self) -> Site | None:
        """The site that has it as an activation; None for biases and embeddings."""
        kind = _SITES.get(self.kind)
        if kind is None or self.layer is None:
            return None
        return Site(kind, self.layer, self.head)

    def __str__(self) -> str:
        label = f"H{self.head}" if self.kind == "head" else _LABELS[self.kind]
        return label if self.layer is None else f"L{self.layer} {label}"
