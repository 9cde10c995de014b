"""Builds the list of stages of a spec, without its mistakes."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from attnviewer.compute.arrays import Shape
from attnviewer.compute.masks import Causal, Chunk, Mask, Window
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.normalizers.sink_softmax import SinkSoftmax
from attnviewer.compute.pins import Pin, PinnedCells
from attnviewer.compute.positions import (
    Alibi,
    Disentangled,
    Learned,
    RelativeBias,
    Rotary,
    Sinusoidal,
)
from attnviewer.compute.scoring import SCORES, Side
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import (
    AddBias,
    AddPositions,
    AddRelative,
    Append,
    ApplyMask,
    Axis,
    Cap,
    Concatenate,
    Encode,
    Gate,
    Given,
    Mix,
    Normalize,
    NormalizeWithSinks,
    Project,
    RelativeScore,
    Rotate,
    RotateAlongAxes,
    RowNorm,
    Scale,
    ScaleByLength,
    Split,
    Stage,
    pinned,
)


def right_stages(spec: Spec, shapes: Mapping[str, Shape]) -> tuple[Stage, ...]:
    """List what `build_stages` does, without the mistakes of the variant."""
    counts = shapes[spec.sources[0]][-2], shapes[spec.sources[1]][-2]
    return _stages(spec, _width(spec, shapes), counts)


@lru_cache(maxsize=8)
def _stages(spec: Spec, d_k: int, counts: tuple[int, int]) -> tuple[Stage, ...]:
    """List the stages; cached, as stages hold no numbers and layers share them."""
    stages: list[Stage] = [
        Given(name, heads_joined=spec.heads_joined) for name in spec.input_names
    ]
    sides, values = _add_sides(stages, spec)
    _add_scores(stages, spec, sides, d_k, counts)
    # The steps after the weights; the last of them is called "output".
    continued = spec.joins_heads or spec.output_projection
    gated = spec.output_gate is not None
    stages.append(Mix("heads" if continued or gated else "output", values))
    if gated:
        headwise = spec.output_gate == "headwise"
        stages.append(Gate("gated" if continued else "output", headwise=headwise))
    if spec.joins_heads:
        joined = "concatenated" if spec.output_projection else "output"
        stages.append(Concatenate(joined, stages[-1].name))
    if spec.output_projection:
        bias = "b_O" if "b_O" in spec.biases else None
        stages.append(Project("output", stages[-1].name, "W_O", bias, rows="queries"))
    return tuple(with_pins(stage, spec.pins) for stage in stages)


def with_pins(stage: Stage, pins: Iterable[Pin]) -> Stage:
    """Return a stage with those of some pins that are for it and act."""
    own = [pin for pin in pins if pin.step == stage.name and pin.enabled]
    return pinned(stage, PinnedCells(own, per_head=stage.per_head)) if own else stage


def _width(spec: Spec, shapes: Mapping[str, Shape]) -> int:
    """Return d_k, the width of one head's keys."""
    if spec.projected:
        return shapes["W_K"][1] // spec.kv_heads
    width = shapes[spec.sources[1]][-1]
    return width // spec.kv_heads if spec.heads_joined else width


def _add_sides(stages: list[Stage], spec: Spec) -> tuple[tuple[str, str], str]:
    """Add the stages up to queries, keys and values; return the names of these."""
    sources = list(spec.sources)
    if isinstance(spec.positions, Sinusoidal | Learned):
        if isinstance(spec.positions, Sinusoidal):
            stages.append(Encode(spec.positions.offset))
        stages.append(AddPositions())
        sources = ["X + P" if name == "X" else name for name in sources]
    rows: tuple[Axis, Axis, Axis] = ("queries", "keys", "keys")
    counts = (spec.n_heads, spec.kv_heads, spec.kv_heads)
    if spec.projected:
        for letter, source, axis, count in zip(
            "QKV", sources, rows, counts, strict=True
        ):
            bias = f"b_{letter}" if f"b_{letter}" in spec.biases else None
            heads = count if spec.has_head_axis else None
            stages.append(
                Project(letter, source, f"W_{letter}", bias, n_heads=heads, rows=axis)
            )
        if spec.output_gate is not None:
            heads = spec.n_heads if spec.has_head_axis else None
            stages.append(
                Project("G", sources[0], "W_G", n_heads=heads, rows="queries")
            )
        sources = ["Q", "K", "V"]
    if spec.heads_joined:
        sides = zip(sources, rows, counts, strict=True)
        for source, axis, count in {side[0]: side for side in sides}.values():
            columns: Axis = "keys" if source == "S" else "features"
            stages.append(Split(source, count, rows=axis, columns=columns))
        sources = [f"split {source}" for source in sources]
    queries, keys, values = sources
    per_head = spec.has_head_axis or spec.given
    after_rotary = spec.qk_norm is not None and spec.qk_norm.after_rotary
    if not after_rotary:
        queries, keys = _add_norms(stages, spec, (queries, keys), per_head)
    if isinstance(spec.positions, Rotary):
        offsets = {keys: 0, queries: spec.query_offset}
        for source, axis in _axes(queries, keys).items():
            offset, scheme = offsets[source], spec.positions
            turn = Rotate if scheme.axes is None else RotateAlongAxes
            stages.append(turn(source, scheme, offset, rows=axis, per_head=per_head))
        queries, keys = f"rotated {queries}", f"rotated {keys}"
    if after_rotary:
        queries, keys = _add_norms(stages, spec, (queries, keys), per_head)
    if spec.extra_rows:
        heads = spec.kv_heads if spec.has_head_axis else None
        for source, extra in ((keys, "extra_keys"), (values, "extra_values")):
            stages.append(Append(source, extra, heads))
        keys, values = (stage.name for stage in stages[-2:])
    return _add_score_sides(stages, spec, (queries, keys), per_head), values


def _add_norms(
    stages: list[Stage], spec: Spec, sides: tuple[str, str], per_head: bool
) -> tuple[str, str]:
    """Add the stages that normalise queries and keys, if there is such a norm."""
    if spec.qk_norm is None:
        return sides
    rows: tuple[Axis, Axis] = ("queries", "keys")
    for source, letter, axis in zip(sides, "QK", rows, strict=True):
        stages.append(
            RowNorm(source, letter, spec.qk_norm, rows=axis, per_head=per_head)
        )
    queries, keys = sides
    return f"normed {queries}", f"normed {keys}"


def _add_score_sides(
    stages: list[Stage], spec: Spec, sides: tuple[str, str], per_head: bool
) -> tuple[str, str]:
    """Add the stages that prepare queries and keys for the score."""
    queries, keys = sides
    scoring = SCORES[spec.score]
    stages += scoring.prepare(
        Side(queries, "queries", per_head), Side(keys, "keys", per_head)
    )
    return scoring.compared(queries, keys)


def _axes(queries: str, keys: str) -> dict[str, Axis]:
    """Return what the rows of both sides stand for; tokens for self-attention."""
    return (
        {queries: "tokens"} if queries == keys else {queries: "queries", keys: "keys"}
    )


def _add_scores(
    stages: list[Stage],
    spec: Spec,
    sides: tuple[str, str],
    d_k: int,
    counts: tuple[int, int],
) -> None:
    n_keys = counts[1]
    terms = _add_relative(stages, spec, sides, counts)
    stages.append(SCORES[spec.score].compare(*sides))
    if terms:
        stages.append(AddRelative(stages[-1].name, terms))
    if spec.scaled:
        stages.append(Scale(d_k, spec.scale, stages[-1].name))
    if spec.length_scale is not None:
        mask = mask_stage(spec, stages[-1].name, n_keys)
        stages.append(
            ScaleByLength(stages[-1].name, spec.length_scale, mask, spec.query_offset)
        )
    if spec.softcap is not None:
        stages.append(Cap(stages[-1].name, spec.softcap))
    alibi = isinstance(spec.positions, Alibi)
    relative = spec.positions if isinstance(spec.positions, RelativeBias) else None
    if spec.bias or alibi or relative:
        stages.append(
            AddBias(
                stages[-1].name,
                given=spec.bias,
                alibi_heads=spec.n_heads if alibi else 0,
                relative=relative,
                query_offset=spec.query_offset,
                n_keys=n_keys,
            )
        )
    if spec.masked:
        stages.append(mask_stage(spec, stages[-1].name, n_keys))
    stages.append(_normalize(stages[-1].name, spec.build_normalizer()))


def _normalize(source: str, normalizer: Normalizer) -> Normalize:
    if isinstance(normalizer, SinkSoftmax):
        return NormalizeWithSinks(source, normalizer)
    return Normalize(source, normalizer)


def _add_relative(
    stages: list[Stage], spec: Spec, sides: tuple[str, str], counts: tuple[int, int]
) -> tuple[str, ...]:
    """Add the scores of contents with relative positions; return their names."""
    scheme = spec.positions
    if not isinstance(scheme, Disentangled):
        return ()
    added: list[str] = []
    queries, keys = sides
    for term in scheme.terms:
        letter, count = ("K", spec.kv_heads) if term == "c2p" else ("Q", spec.n_heads)
        weight = f"{letter}R" if scheme.own_weights else letter
        relative = Project(
            f"{letter}_R",
            "R",
            f"W_{weight}",
            f"b_{weight}" if f"b_{weight}" in spec.biases else None,
            n_heads=count if spec.has_head_axis else None,
            rows="distances",
        )
        scores = RelativeScore(
            queries if term == "c2p" else keys,
            relative.name,
            term=term,
            scheme=scheme,
            counts=counts,
            query_offset=spec.query_offset,
        )
        stages += relative, scores
        added.append(scores.name)
    return tuple(added)


def mask_stage(spec: Spec, source: str, n_keys: int) -> ApplyMask:
    """Return the stage that hides keys from queries.

    Parameters
    ----------
    spec : Spec
        The variant.
    source : str
        The step that holds the scores.
    n_keys : int
        Keys that have a position.
    """
    rules: list[Mask] = []
    if spec.causal:
        rules.append(Causal())
    if spec.window not in (None, (None, None)):
        rules.append(Window(*spec.window))
    if spec.chunk is not None:
        rules.append(Chunk(spec.chunk))
    return ApplyMask(
        source,
        tuple(rules),
        given=spec.mask,
        query_offset=spec.query_offset,
        key_lengths=spec.key_lengths,
        n_keys=n_keys,
    )
