"""The options that decide which steps an attention computation has."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from attnviewer.compute.arguments import check_name
from attnviewer.compute.head_groups import served_heads, serving_head
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.normalizers import NORMALIZERS, Normalizer
from attnviewer.compute.normalizers.sink_softmax import SinkSoftmax
from attnviewer.compute.pins import Pin
from attnviewer.compute.positions import (
    Disentangled,
    Learned,
    Positions,
    RelativeBias,
    Rotary,
    Sinusoidal,
)
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.scoring import SCORES
from attnviewer.compute.slip import Slip
from attnviewer.compute.stages.offsets import PerItem

Variant: TypeAlias = Literal[
    "simplified", "self", "multi_head", "cross", "given", "given_scores"
]

OutputGate: TypeAlias = Literal["elementwise", "headwise"]
"""The parts with a gate each: the numbers of a head's output, or its rows."""

BIASES = ("b_Q", "b_K", "b_V", "b_KR", "b_QR", "b_O")
"""The rows that projections may add."""
MASKS = "causal", "window", "chunk", "mask", "key_lengths"
"""The fields that hide keys, see `Spec.masked`; by default they hide none."""


@dataclass(frozen=True, slots=True)
class Spec:
    """An attention variant, from which the list of stages is built.

    It holds plain values only, so that it can be saved and compared.

    Parameters
    ----------
    projected : bool
        With the weights W_Q, W_K and W_V. Without them the embeddings are
        queries, keys and values at once ("simplified self-attention").
    given : bool
        Queries, keys and values are given as they are; there is no X.
    context : bool
        Keys and values come from a second sequence (cross-attention).
    values : bool
        Values come from a separate sequence.
    n_heads : int
        Number of heads; each works on its own block of columns.
    n_kv_heads : int or None
        Number of heads of keys and values, each shared by n_heads / n_kv_heads
        neighbouring heads of queries (Ainslie et al. 2023, GQA). None: as many as
        `n_heads`.
    head_axis : bool
        Keep an axis for the heads even if there is only one.
    heads_joined : bool
        Given queries, keys and values have their heads side by side in their columns,
        (n, h·d), as projections return them, and are split by a separate step.
    biases : tuple of str
        Those of b_Q, b_K, b_V and b_O that the projections have, and of b_QR and b_KR
        where relative positions have weights of their own.
    output_projection : bool
        With W_O after the heads.
    output_gate : {"elementwise", "headwise"} or None
        A gate σ(X W_G) on the output of each head, before the heads are joined: for
        each number, or one for each query (Qiu et al. 2025).
    positions : Positions or None
        How positions enter: added to X, turning Q and K, as a bias on the scores, or
        as terms of the scores.
    qk_norm : QKNorm or None
        A norm of queries and keys before they are compared.
    extra_rows : bool
        With rows of extra keys and values after the projected ones, seen by all.
    score : str
        A name of `SCORES`. With ``given``, which goes with `given` alone, there are
        scores S and values V instead of queries, keys and values.
    scale : float or None
        Factor on the scores. None stands for 1/√d_k (Vaswani et al. 2017,
        equation 1) with the dot product and for 1 with the others, as in their
        papers; 1.0 leaves the scores as they are and has no step.
    length_scale : LengthScale or None
        A factor on the scores of each query that grows with the length.
    softcap : float or None
        Bound c of c·tanh(s / c) on the scores, before bias and mask.
    bias : bool
        With given numbers added to the scores.
    causal : bool
        No query sees a key that comes after it.
    window : tuple of two (int or None), or None
        How many keys left and right of its own position a query sees.
    chunk : int or None
        Size of the chunks of positions outside of which no query sees a key.
    mask : bool
        With a given mask.
    query_offset : int or tuple of int
        The position of the first query among the keys.
    key_lengths : int, tuple of int or None
        How many keys are real; those after them are padding.
    normalizer : str
        A name of `attnviewer.compute.NORMALIZERS`.
    temperature : float
        The divisor of the scores before they are normalised.
    normalizer_options : tuple of (str, bool)
        Further options of the normaliser, such as ``("length_bias", False)``.
    sinks : bool
        With a learned sink per head: a logit beside the scores of each row, which takes
        part in softmax and is then left out. No normaliser but softmax has one.
    pins : tuple of Pin
        Cells of computed steps that are set, added to or scaled, in their order.
    mistakes : tuple of Slip
        Mistakes that the computation is deliberately made with, each made in the
        computation with those before; pins act on the numbers with them.

    Raises
    ------
    ValueError
        If a value is unknown, or two of them contradict each other.
    """

    projected: bool = True
    given: bool = False
    context: bool = False
    values: bool = False
    n_heads: int = 1
    n_kv_heads: int | None = None
    head_axis: bool = False
    heads_joined: bool = False
    biases: tuple[str, ...] = ()
    output_projection: bool = False
    output_gate: OutputGate | None = None
    positions: Positions | None = None
    qk_norm: QKNorm | None = None
    extra_rows: bool = False
    score: str = "dot"
    scale: float | None = None
    length_scale: LengthScale | None = None
    softcap: float | None = None
    bias: bool = False
    causal: bool = False
    window: tuple[int | None, int | None] | None = None
    chunk: int | None = None
    mask: bool = False
    query_offset: PerItem = 0
    key_lengths: PerItem | None = None
    normalizer: str = "softmax"
    temperature: float = 1.0
    normalizer_options: tuple[tuple[str, bool], ...] = ()
    sinks: bool = False
    pins: tuple[Pin, ...] = ()
    mistakes: tuple[Slip, ...] = ()

    def __post_init__(self) -> None:
        _check_count("n_heads", self.n_heads)
        _check_count("n_kv_heads", self.kv_heads)
        if self.n_heads % self.kv_heads:
            raise ValueError(
                "The 'n_heads' must be a multiple of n_kv_heads = "
                f"{self.kv_heads}. Got {self.n_heads} instead."
            )
        check_name("score", self.score, SCORES)
        check_name("normalizer", self.normalizer, NORMALIZERS)
        self.build_normalizer()
        if self.output_gate is not None:
            check_name("output_gate", self.output_gate, get_args(OutputGate))
        if self.sinks and self.normalizer != "softmax":
            raise ValueError(
                "The 'sinks' must be off unless the normaliser is softmax. "
                f"Got on with '{self.normalizer}' instead."
            )
        if self.scale is not None and not math.isfinite(self.scale):
            raise ValueError(
                f"The 'scale' must be a finite number. Got {self.scale} instead."
            )
        if self.softcap is not None and not 0 < self.softcap < math.inf:
            raise ValueError(
                "The 'softcap' must be a finite number above 0. "
                f"Got {self.softcap} instead."
            )
        for side in self.window or ():
            if side is not None and side < 0:
                raise ValueError(
                    "The 'window' must count at least 0 keys on each side. "
                    f"Got {self.window} instead."
                )
        if self.chunk is not None:
            _check_count("chunk", self.chunk)
        for name in self.biases:
            check_name("biases", name, BIASES)
            if f"W_{name[2:]}" not in self.input_names:
                raise ValueError(
                    f"The 'biases' must not hold '{name}' without W_{name[2:]}. "
                    f"Got {self.biases} instead."
                )
        if isinstance(self.positions, Disentangled):
            self.positions.check_variant(
                projected=self.projected, score=self.score, extra_rows=self.extra_rows
            )
        if self.heads_joined and not self.given:
            raise ValueError(
                "The 'heads_joined' must be off unless queries, keys and values are "
                "given. Got on instead."
            )
        if self.score == "given":
            self._check_given_scores()
        if not self.projected:
            self._check_without_projections()
        elif self.given:
            raise ValueError(
                "The 'projected' must be off where queries, keys and values are given. "
                "Got on instead."
            )

    def _check_without_projections(self) -> None:
        reason = "without projections (simplified self-attention)"
        if self.given:
            reason = "where queries, keys and values are given"
            if isinstance(self.positions, Sinusoidal | Learned):
                raise ValueError(
                    f"The 'positions' must not be added to X {reason}. "
                    f"Got {type(self.positions).__name__} instead."
                )
        if not self.given and self.n_heads > 1:
            raise ValueError(
                f"The 'n_heads' must be 1 {reason}. Got {self.n_heads} instead."
            )
        if not self.given and self.head_axis:
            raise ValueError(f"The 'head_axis' must be off {reason}. Got on instead.")
        for name in ("output_projection", "extra_rows"):
            if getattr(self, name):
                raise ValueError(f"The '{name}' must be off {reason}. Got on instead.")
        if self.qk_norm is not None and not self.given:
            raise ValueError(
                f"The 'qk_norm' must be None {reason}, where there are no queries and "
                f"keys. Got {self.qk_norm.title} instead."
            )
        if self.output_gate is not None:
            raise ValueError(
                f"The 'output_gate' must be None {reason}; there is no W_G. "
                f"Got {self.output_gate} instead."
            )
        same_tokens = not self.given and not self.context
        if (
            same_tokens
            and isinstance(self.positions, Rotary)
            and self.query_offset != 0
        ):
            raise ValueError(
                f"The 'query_offset' must be 0 {reason} where X is rotated by its "
                f"positions. Got {self.query_offset} instead."
            )

    def _check_given_scores(self) -> None:
        if not self.given:
            raise ValueError(
                "The 'score' must not be 'given' unless 'given' is on. Got off instead."
            )
        if isinstance(self.positions, Rotary):
            raise ValueError(
                "The 'positions' must not rotate queries and keys where scores are "
                "given. Got Rotary instead."
            )
        if self.qk_norm is not None:
            raise ValueError(
                "The 'qk_norm' must be None where scores are given. "
                f"Got {self.qk_norm.title} instead."
            )

    @property
    def kv_heads(self) -> int:
        """Number of heads of keys and values."""
        return self.n_heads if self.n_kv_heads is None else self.n_kv_heads

    def kv_head_of(self, head: int) -> int:
        """Return which head of keys and values serves a head of queries."""
        return serving_head(head, self.n_heads, self.kv_heads)

    def sharing_with(self, head: int) -> range:
        """Return the heads of queries that share keys and values with one, and it."""
        return served_heads(self.kv_head_of(head), self.n_heads, self.kv_heads)

    @property
    def has_head_axis(self) -> bool:
        """Whether the steps between projection and concatenation have a head axis."""
        return self.head_axis or self.heads_joined or self.n_heads > 1

    @property
    def joins_heads(self) -> bool:
        """Whether the outputs of the heads are concatenated at the end."""
        return self.has_head_axis and (not self.given or self.heads_joined)

    @property
    def scaled(self) -> bool:
        """Whether the scores are scaled in a separate step."""
        return self.score == "dot" if self.scale is None else self.scale != 1.0

    @property
    def masked(self) -> bool:
        """Whether any key may be hidden by a mask."""
        return (
            self.causal
            or self.mask
            or self.chunk is not None
            or self.window not in (None, (None, None))
            or self.key_lengths is not None
        )

    @property
    def variant(self) -> Variant:
        """The usual name of this combination."""
        if self.given:
            return "given_scores" if self.score == "given" else "given"
        if not self.projected:
            return "simplified"
        if self.context:
            return "cross"
        if self.n_heads > 1 or self.output_projection:
            return "multi_head"
        return "self"

    @property
    def sources(self) -> tuple[str, str, str]:
        """The inputs that queries, keys and values are computed from."""
        if self.score == "given":
            return "S", "V", "V"
        if self.given:
            return "Q", "K", "V"
        keys = "context" if self.context else "X"
        return "X", keys, "values" if self.values else keys

    @property
    def input_names(self) -> tuple[str, ...]:
        """The arrays that this variant starts from, in reading order."""
        names = list(dict.fromkeys(self.sources))
        if self.positions is not None and self.positions.has_table:
            names.append("P")
        scheme = self.positions
        if isinstance(scheme, Rotary) and scheme.axes is not None:
            names.append("position_ids")
        if isinstance(scheme, Disentangled):
            names.append("R")
        if self.projected:
            names += self._with_biases("W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V")
        if self.output_gate is not None:
            names.append("W_G")
        if isinstance(scheme, Disentangled):
            names += self._with_biases(*scheme.names)
        if self.qk_norm is not None:
            names += [*self.qk_norm.inputs_of("Q"), *self.qk_norm.inputs_of("K")]
        if self.extra_rows:
            names += ["extra_keys", "extra_values"]
        names += SCORES[self.score].weights
        if self.bias:
            names.append("bias")
        if isinstance(self.positions, RelativeBias):
            names.append("relative_bias")
        if self.mask:
            names.append("mask")
        if self.sinks:
            names.append("sinks")
        if self.output_projection:
            names += self._with_biases("W_O", "b_O")
        return tuple(names)

    def _with_biases(self, *names: str) -> list[str]:
        return [n for n in names if n.startswith("W_") or n in self.biases]

    def build_normalizer(self) -> Normalizer:
        """Return the normaliser with its options.

        Raises
        ------
        ValueError
            If it has no such option.
        """
        options = dict(self.normalizer_options)
        if "temperature" in options:
            raise ValueError(
                "The 'normalizer_options' must not hold the temperature, which is an "
                f"option of its own. Got {options['temperature']} instead."
            )
        rule = SinkSoftmax if self.sinks else NORMALIZERS[self.normalizer]
        return rule.with_options(temperature=self.temperature, **options)


def _check_count(name: str, count: int) -> None:
    if count < 1:
        raise ValueError(f"The '{name}' must be at least 1. Got {count} instead.")
