"""Choices of a document's variant, and the specs that they lead to."""

import math
from dataclasses import fields, replace

from attnviewer.compute import (
    NORMALIZERS,
    Disentangled,
    Normalizer,
    Positions,
    Spec,
    Variant,
)
from attnviewer.compute.normalizers.sink_softmax import SinkSoftmax
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, WidthError
from attnviewer.document.variants.rotary import can_turn
from attnviewer.document.variants.sources import check_sources

VARIANT_TITLES: dict[Variant, str] = {
    "simplified": "Simplified self-attention",
    "self": "Self-attention",
    "multi_head": "Multi-head attention",
    "cross": "Cross-attention",
    "given": "Given Q, K and V",
    "given_scores": "Given scores or weights",
}


def possible_variants(spec: Spec) -> tuple[Variant, ...]:
    """Return the variants that a document with a spec can be turned into."""
    if spec.given:
        return (spec.variant,)
    return ("simplified", "self", "multi_head", "cross")


def variant_spec(document: Document, variant: Variant) -> Spec:
    """Return the document's spec turned into another variant.

    Positions, scale, mask and normaliser stay. Multi-head attention starts with W_O
    and the smallest number of heads above 1 that divides the columns;
    cross-attention has the heads and the W_O that are there. From a variant with one
    head and without W_O, a past variant comes back with its own.

    Raises
    ------
    EditError
        If the columns cannot be divided among several heads, or queries, keys and
        values would have to come from elsewhere.
    """
    spec = document.spec
    if variant == spec.variant:
        return spec
    check_sources(spec.given, variant in ("given", "given_scores"))
    if spec.variant in ("simplified", "self") and variant != "simplified":
        spec = _returned(document, variant)
    if variant == "cross":
        return replace(spec, projected=True, context=True)
    if variant == "multi_head":
        if spec.n_heads == 1 and not spec.output_projection:
            spec = replace(spec, n_heads=_several_heads(document), projected=True)
            spec = replace(spec, output_projection=True)
        return replace(spec, context=False)
    spec = replace(
        output_projection_spec(spec, on=False),
        context=False,
        n_heads=1,
        n_kv_heads=None,
    )
    if variant == "simplified":
        if isinstance(spec.positions, Disentangled):
            raise EditError(
                "Relative positions are projected like keys and queries: choose other "
                "positions before the projections are left out."
            )
        return replace(
            spec,
            projected=False,
            biases=(),
            head_axis=False,
            qk_norm=None,
            output_gate=None,
        )
    return replace(spec, projected=True)


def _returned(document: Document, variant: Variant) -> Spec:
    """Return the present spec with the heads and W_O of a richer past variant."""
    spec = document.spec
    if not spec.projected:
        projected = (past.spec for past in reversed(document.past_variants))
        last = next((spec for spec in projected if spec.projected), Spec())
        biases = tuple(n for n in last.biases if n in ("b_Q", "b_K", "b_V"))
        spec = replace(
            spec,
            projected=True,
            biases=biases,
            qk_norm=last.qk_norm,
            output_gate=last.output_gate,
        )
    # Cross-attention and multi-head attention share their heads.
    alike = ("multi_head", "cross") if variant != "self" else ("self",)
    richer = (past.spec for past in reversed(document.past_variants))
    was = next((spec for spec in richer if spec.variant in alike), None)
    if was is None or was.n_heads not in possible_heads(document):
        return spec
    return replace(
        spec,
        n_heads=was.n_heads,
        n_kv_heads=was.n_kv_heads,
        output_projection=was.output_projection,
        biases=(*spec.biases, *(name for name in was.biases if name == "b_O")),
    )


def _several_heads(document: Document) -> int:
    several = [n for n in possible_heads(document) if n > 1]
    if not several:
        raise WidthError(
            "Multi-head attention needs at least 2 columns in 'W_Q' and 'W_V' that "
            "can be divided among the heads."
        )
    return several[0]


def possible_heads(document: Document) -> list[int]:
    """Return the numbers of heads among which the present columns can be divided.

    They divide the columns of W_Q, and each key head stays shared by as many heads.
    """
    spec, matrices = document.spec, document.matrices
    if spec.given:
        return [spec.n_heads]
    d_model = matrices["X"].shape[1]
    queries = matrices["W_Q"].shape[1] if "W_Q" in matrices else d_model
    values = matrices["W_V"].shape[1] if "W_V" in matrices else d_model
    common = math.gcd(queries, values * spec.n_heads // spec.kv_heads)
    return [
        n
        for n in range(1, common + 1)
        if common % n == 0
        and spec.kv_heads * n % spec.n_heads == 0
        and can_turn(spec, queries // n)
    ]


def heads_spec(spec: Spec, n_heads: int) -> Spec:
    """Return a spec with another number of heads.

    As many of them as before share a key head, so that no matrix changes.

    Raises
    ------
    EditError
        If the number of heads is not possible.
    """
    n_kv_heads, rest = divmod(spec.kv_heads * n_heads, spec.n_heads)
    if rest:
        group = spec.n_heads // spec.kv_heads
        raise EditError(
            f"The 'n_heads' must be a multiple of {group}, as {group} heads share one "
            f"key/value head. Got {n_heads} instead."
        )
    return with_heads(spec, n_heads, n_kv_heads)


def kv_heads_spec(spec: Spec, n_kv_heads: int) -> Spec:
    """Return a spec with another number of heads of keys and values.

    Raises
    ------
    EditError
        If it does not divide the number of heads.
    """
    return with_heads(spec, spec.n_heads, n_kv_heads)


def with_heads(spec: Spec, n_heads: int, n_kv_heads: int) -> Spec:
    """Return a spec with other numbers of heads, and of those of keys and values.

    Raises
    ------
    EditError
        If one does not divide the other.
    """
    # If every head has its own keys, the number of key heads keeps following.
    shared = None if n_kv_heads == n_heads else n_kv_heads
    try:
        return replace(spec, n_heads=n_heads, n_kv_heads=shared)
    except ValueError as error:
        raise EditError(str(error)) from error


def possible_kv_heads(spec: Spec) -> list[int]:
    """Return the numbers of heads of keys and values that the heads can share."""
    return [n for n in range(1, spec.n_heads + 1) if spec.n_heads % n == 0]


def output_projection_spec(spec: Spec, *, on: bool) -> Spec:
    """Return a spec with W_O, or without it and its bias."""
    biases = spec.biases if on else tuple(b for b in spec.biases if b != "b_O")
    return replace(spec, output_projection=on, biases=biases)


def possible_biases(spec: Spec) -> tuple[str, ...]:
    """Return the biases of the projections that a spec has, in reading order."""
    if not spec.projected:
        return ()
    scheme = spec.positions
    own = scheme.names if isinstance(scheme, Disentangled) else ()
    relative = (name for name in own if name.startswith("b_"))
    output = ("b_O",) if spec.output_projection else ()
    return ("b_Q", "b_K", "b_V", *relative, *output)


def positions_spec(spec: Spec, positions: Positions | None) -> Spec:
    """Return a spec with other positions, and those of its biases that fit."""
    plain = replace(spec, biases=())
    other = replace(plain, positions=positions)
    return biases_spec(other, set(spec.biases))


def biases_spec(spec: Spec, names: set[str]) -> Spec:
    """Return a spec with these biases, as far as it has their projections."""
    biases = tuple(name for name in possible_biases(spec) if name in names)
    return replace(spec, biases=biases)


NORMALIZER_CHOICES: dict[str, type[Normalizer]] = {
    **NORMALIZERS,
    SinkSoftmax.name: SinkSoftmax,
}
"""The normalisers by name: with sinks, softmax counts as one of its own."""


def normalizer_spec(spec: Spec, name: str) -> Spec:
    """Return a spec with one of `NORMALIZER_CHOICES`, and those options it knows."""
    sinks = name == SinkSoftmax.name
    known = {field.name for field in fields(NORMALIZER_CHOICES[name])}
    options = tuple(o for o in spec.normalizer_options if o[0] in known)
    return replace(
        spec,
        normalizer="softmax" if sinks else name,
        normalizer_options=options,
        sinks=sinks,
    )
