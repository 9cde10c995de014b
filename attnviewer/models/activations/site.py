"""A place in a model where activations are read and replaced."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from attnviewer.compute.arguments import check_name, whole_number

Kind: TypeAlias = Literal[
    "stream",
    "queries",
    "keys",
    "values",
    "scores",
    "weights",
    "heads",
    "attention",
    "after_attention",
    "feed_forward",
]
"""Which activation of a layer."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""All kinds, in the order in which a layer computes them."""
PER_HEAD: tuple[Kind, ...] = (
    "queries",
    "keys",
    "values",
    "scores",
    "weights",
    "heads",
)
"""The kinds that each head has its own of."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a model where activations are read and replaced.

    Parameters
    ----------
    kind : str
        The activation; n is the number of tokens, h of heads, h_kv of heads of keys
        and values:

        - ``stream``: the residual stream that enters the layer, (n, d_model);
        - ``queries`` (h, n, d_head), ``keys`` and ``values`` (h_kv, n, d_head), before
          they are rotated by their positions;
        - ``scores`` (h, n, n), as the softmax reads them; ``weights`` (h, n, n);
        - ``heads``: the outputs of the heads before W_O, (h, n, d_head);
        - ``attention``: the output of the attention, (n, d_model), before a norm
          and before it is added to the stream;
        - ``after_attention``: the stream between attention and feed-forward layer,
          (n, d_model), after the norm if that follows the sum (BERT);
        - ``feed_forward``: the output of the feed-forward layer, (n, d_model), before
          a norm and before it is added to the stream.
    layer : int
        The layer, counted from zero. For the stream, the number of layers stands for
        the output of the last one.
    head : int, optional
        One of the heads, counted from zero, whose array lacks the first axis; for keys
        and values one of h_kv. All heads by default.

    Raises
    ------
    ValueError
        If the kind is unknown, layer or head is negative, or a kind that is not
        computed per head has a head.
    """

    kind: Kind
    layer: int
    head: int | None = None

    def __post_init__(self) -> None:
        check_name("kind", self.kind, KINDS)
        object.__setattr__(self, "layer", whole_number("layer", self.layer, 0))
        if self.head is None:
            return
        object.__setattr__(self, "head", whole_number("head", self.head, 0))
        if self.kind not in PER_HEAD:
            raise ValueError(
                f"The 'head' must be None for '{self.kind}', which all heads share. "
                f"Got {self.head} instead."
            )

    @property
    def name(self) -> str:
        """The short name: ``L3 stream``, ``L3 H1 weights``."""
        head = "" if self.head is None else f" H{self.head}"
        return f"L{self.layer}{head} {self.kind.replace('_', ' ')}"
