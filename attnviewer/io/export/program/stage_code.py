"""The code of each step, one function per kind of stage.

Every function returns the lines that compute a stage's step from those before it, in
variables named after the steps.
"""

import math
from collections.abc import Mapping
from functools import singledispatch
from typing import Protocol

import numpy as np

from attnviewer.compute import Shape, Stage
from attnviewer.compute.notation import Library
from attnviewer.compute.positions import RelativeBias
from attnviewer.compute.stages import (
    AddBias,
    AddPositions,
    AddRelative,
    Append,
    ApplyMask,
    Cap,
    Concatenate,
    Encode,
    Gate,
    GivenScore,
    Mix,
    Project,
    RelativeScore,
    Rotate,
    RotateAlongAxes,
    RowNorm,
    Scale,
    ScaleByLength,
    Score,
    Split,
    Unit,
)
from attnviewer.io.export.program.literals import nested_code
from attnviewer.io.export.program.mask_code import length_lines, seen_lines
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.offset_code import plus, plus_items
from attnviewer.io.export.program.rotation_code import lines_along_axes, rotation_lines


class Steps(Protocol):
    """The facts about steps that code depends on."""

    stages: Mapping[str, Stage]

    def shape(self, step: str) -> Shape:
        """Return the shape of a step."""

    def squares_fit(self, step: str) -> bool:
        """Return whether no square of a step leaves the range of numbers."""


@singledispatch
def stage_code(stage: Stage, steps: Steps, library: Library) -> list[str]:
    """Return the lines that compute a step of any stage without a rule.

    Raises
    ------
    ValueError
        If there is no code for a stage of its kind.
    """
    kind = type(stage).__name__
    raise ValueError(f"There is no program yet for '{stage.name}', a step of {kind}.")


@stage_code.register
def _(stage: Project, steps: Steps, library: Library) -> list[str]:
    source, *others = map(variable, stage.inputs)
    product = " + ".join([f"{source} @ {others[0]}", *others[1:]])
    if stage.n_heads is not None:
        product = f"split_heads({product}, {stage.n_heads})"
    return [f"{variable(stage.name)} = {product}"]


@stage_code.register
def _(stage: Split, steps: Steps, library: Library) -> list[str]:
    source = variable(stage.inputs[0])
    return [f"{variable(stage.name)} = split_heads({source}, {stage.n_heads})"]


@stage_code.register
def _(stage: Concatenate, steps: Steps, library: Library) -> list[str]:
    return [f"{variable(stage.name)} = join_heads({variable(stage.inputs[0])})"]


@stage_code.register
def _(stage: Gate, steps: Steps, library: Library) -> list[str]:
    heads, gates = map(variable, stage.inputs)
    before, after = library.logistic.texts
    return [
        f"gates = {before}{gates}{after}",
        f"{variable(stage.name)} = {heads} * gates",
    ]


@stage_code.register
def _(stage: Encode, steps: Steps, library: Library) -> list[str]:
    n, d_model = steps.shape(stage.name)
    call = library.call
    cosines = call("cos", f"angles[:, :{d_model // 2}]")
    return [
        f"places = {call('arange', n)}[:, None]{plus(stage.offset)}",
        f"angles = places / 10000.0 ** ({call('arange', 0, d_model, 2)} / {d_model})",
        f"P = {call('zeros', (n, d_model))}",
        f"P[:, 0::2] = {call('sin', 'angles')}",
        f"P[:, 1::2] = {cosines}",
    ]


@stage_code.register
def _(stage: AddPositions, steps: Steps, library: Library) -> list[str]:
    embeddings, table = stage.inputs
    n, n_rows = steps.shape(embeddings)[-2], steps.shape(table)[-2]
    part = table if n == n_rows else f"{table}[:{n}]"
    return [f"{variable(stage.name)} = {embeddings} + {part}"]


@stage_code.register
def _(stage: Rotate, steps: Steps, library: Library) -> list[str]:
    return rotation_lines(stage, steps.shape(stage.name), library)


@stage_code.register
def _(stage: RotateAlongAxes, steps: Steps, library: Library) -> list[str]:
    ids = steps.shape("position_ids")
    return lines_along_axes(stage, steps.shape(stage.name), ids, library)


@stage_code.register
def _(stage: RowNorm, steps: Steps, library: Library) -> list[str]:
    source, *own = map(variable, stage.inputs)
    shape, norm = steps.shape(stage.name), stage.norm
    spans = norm.full_width and len(shape) > 2
    count = math.prod(shape[-3::2]) if spans else shape[-1]
    total = library.sum_over((-3, -1) if spans else (-1,))
    lines, rows = [], source
    if norm.centred:
        rows = "centred"
        lines.append(f"centred = {source} - {source}.{total} / {count}")
    mean = f"({rows} ** 2).{total} / {count}"
    lines.append(f"sigma = {library.call('sqrt', f'{mean} + {norm.epsilon!r}')}")
    written = f"{rows} / sigma"
    rows_of = dict(zip(own, stage.inputs[1:], strict=True))
    factors = [
        f"{name}.reshape(-1, 1, {shape[-1]})"
        if steps.shape(rows_of[name])[-1] != shape[-1]
        else name
        for name in own
    ]
    if norm.gain:
        offset = f"{float(norm.gain_offset)!r} + " if norm.gain_offset else ""
        gain = f"({offset}{factors[0]})" if offset else factors[0]
        written = f"{written} * {gain}"
    if norm.shift:
        written = f"{written} + {factors[-1]}"
    return [*lines, f"{variable(stage.name)} = {written}"]


@stage_code.register
def _(stage: Append, steps: Steps, library: Library) -> list[str]:
    source, extra = map(variable, stage.inputs)
    if stage.n_heads is not None:
        extra = f"split_heads({extra}, {stage.n_heads})"
    *lead, n, d = steps.shape(stage.name)
    own = steps.shape(stage.inputs[1])
    if len(lead) > 1 and len(own) == 2:
        n_extra = n - steps.shape(stage.inputs[0])[-2]
        extra = library.call("broadcast_to", extra, (*lead, n_extra, d))
    joined = library.call("concatenate", f"[{source}, {extra}]", axis=-2)
    return [f"{variable(stage.name)} = {joined}"]


@stage_code.register
def _(stage: Unit, steps: Steps, library: Library) -> list[str]:
    source, call = variable(stage.inputs[0]), library.call
    nonzero = call("where", "length == 0", 1, "length")
    if not steps.squares_fit(stage.inputs[0]):
        largest = call("where", "largest == 0", 1, "largest")
        return [
            "# By the row's largest first: its square would leave the range.",
            f"largest = {call('abs', source)}.{library.row_maximum}",
            f"largest = {largest}  # zeros stay zeros",
            f"scaled_rows = {source} / largest",
            f"length = {call('sqrt', f'(scaled_rows ** 2).{library.row_sum}')}",
            f"length = {nonzero}",
            f"{variable(stage.name)} = scaled_rows / length",
        ]
    return [
        f"length = {call('sqrt', f'({source} ** 2).{library.row_sum}')}",
        f"length = {nonzero}  # zeros stay zeros",
        f"{variable(stage.name)} = {source} / length",
    ]


@stage_code.register
def _(stage: Score, steps: Steps, library: Library) -> list[str]:
    queries, keys = stage.inputs
    transposed = ".T" if len(steps.shape(keys)) == 2 else ".swapaxes(-1, -2)"
    right = f"{shared(queries, keys, steps, library)}{transposed}"
    return [f"{variable(stage.name)} = {variable(queries)} @ {right}"]


@stage_code.register
def _(stage: GivenScore, steps: Steps, library: Library) -> list[str]:
    return [f"{variable(stage.name)} = {variable(stage.inputs[0])}"]


@stage_code.register
def _(stage: Scale, steps: Steps, library: Library) -> list[str]:
    scaled, scores = variable(stage.name), variable(stage.inputs[0])
    if stage.factor is None:
        return [f"{scaled} = {scores} / math.sqrt({stage.d_k})"]
    return [f"{scaled} = {scores} * {float(stage.factor)!r}"]


@stage_code.register
def _(stage: RelativeScore, steps: Steps, library: Library) -> list[str]:
    contents, relative = stage.inputs
    first, (n_q, n_k) = stage.query_offset, stage.counts
    if isinstance(first, tuple):
        raise ValueError(
            "There is no program yet for relative positions with an offset for each "
            "batch item."
        )
    call = library.call
    rows = stage.scheme.rows(np.arange(first + 1 - n_k, first + n_q))
    left = shared(stage.name, contents, steps, library)
    right = shared(stage.name, relative, steps, library)
    own = "keys" if stage.by_key else "queries"
    return [
        f"queries = {call('arange', n_q)}[:, None]",
        f"keys = {call('arange', n_k)}[None, :]",
        f"rows = {call('array', nested_code(rows))}  # by distance",
        f"at = rows[queries - keys + {n_k - 1}]",
        f"products = {left} @ {right}.swapaxes(-1, -2)",
        f"{variable(stage.name)} = products[..., {own}, at]",
    ]


@stage_code.register
def _(stage: AddRelative, steps: Steps, library: Library) -> list[str]:
    total = " + ".join(map(variable, stage.inputs))
    return [f"{variable(stage.name)} = {total}"]


@stage_code.register
def _(stage: Cap, steps: Steps, library: Library) -> list[str]:
    source, bound = variable(stage.inputs[0]), repr(float(stage.bound))
    capped = f"{bound} * {library.call('tanh', f'{source} / {bound}')}"
    return [f"{variable(stage.name)} = {capped}"]


@stage_code.register
def _(stage: AddBias, steps: Steps, library: Library) -> list[str]:
    source = stage.inputs[0]
    *lead, n_q, n_k = steps.shape(stage.name)
    terms, lines = [], []
    if stage.given:
        terms.append(_over_keys("bias", stage.n_keys, n_k, steps, "0.0"))
    if stage.slopes is not None or stage.bucketed is not None:
        keys = library.call("arange", n_k)
        offset = plus_items(stage.query_offset, library)
        lines += [
            f"queries = {library.call('arange', n_q)}[:, None]{offset}",
            f"distances = {keys} - queries",
        ]
    if stage.bucketed is not None:
        lines += _bucket_lines(stage.bucketed.scheme, library)
        heads = f"{library.call('arange', lead[-1])}[:, None, None]" if lead else "0"
        table = f"{variable('relative_bias')}[buckets, {heads}]"
        if stage.n_keys < n_k:
            table = library.call("where", f"{keys} < {stage.n_keys}", table, "0.0")
        terms.append(table)
    if stage.slopes is not None:
        if stage.n_keys < n_k:
            placed = f"{keys} < {stage.n_keys}"
            own = library.call("where", placed, "distances", 0)
            lines.append(f"distances = {own}")
        slopes = [repr(slope) for slope in stage.slopes.tolist()]
        if lead:
            listed = library.call("array", f"[{', '.join(slopes)}]")
            lines.append(f"slopes = {listed}[:, None, None]")
        else:
            lines.append(f"slopes = {slopes[0]}")
        terms.append("slopes * distances")
    return [
        *lines,
        f"added = {' + '.join(terms)}",
        f"{variable(stage.name)} = {variable(source)} + added",
    ]


def _bucket_lines(scheme: RelativeBias, library: Library) -> list[str]:
    """Return the lines that make ``buckets`` of ``distances``."""
    both = scheme.bidirectional
    steps = "abs(distances)" if both else "-distances * (distances < 0)"
    listed = library.call("array", list(scheme.edges))
    after = f" + {scheme.n_buckets // 2} * (distances > 0)" if both else ""
    return [
        f"apart = ({steps})[..., None]",
        f"buckets = (apart >= {listed}).sum({library.axis}=-1){after}",
    ]


@stage_code.register
def _(stage: ApplyMask, steps: Steps, library: Library) -> list[str]:
    lines = _seen_lines(stage, steps, library)
    masked = library.call("where", "seen", variable(stage.inputs[0]), "-inf")
    return [*lines, f"{variable(stage.name)} = {masked}"]


@stage_code.register
def _(stage: ScaleByLength, steps: Steps, library: Library) -> list[str]:
    shape = steps.shape(stage.name)
    seen = []
    if stage.rule.counted == "keys" and stage.mask.hides_some:
        seen = _seen_lines(stage.mask, steps, library, shape)
    return [*seen, *length_lines(stage, shape, library)]


def _seen_lines(
    stage: ApplyMask, steps: Steps, library: Library, shape: Shape | None = None
) -> list[str]:
    """Return the lines that compute which keys are ``seen``."""
    *_, n_q, n_k = steps.shape(stage.name) if shape is None else shape
    given = [
        _over_keys(name, stage.n_keys, n_k, steps, "True") for name in stage.inputs[1:]
    ]
    return seen_lines(stage, given, (n_q, n_k), library)


@stage_code.register
def _(stage: Mix, steps: Steps, library: Library) -> list[str]:
    weights, values = stage.inputs
    right = shared(weights, values, steps, library)
    return [f"{variable(stage.name)} = {variable(weights)} @ {right}"]


def shared(queries: str, keys: str, steps: Steps, library: Library) -> str:
    """Return keys or values, each head repeated for the query heads that share it."""
    of_queries, of_keys = steps.shape(queries), steps.shape(keys)
    group = of_queries[-3] // of_keys[-3] if len(of_queries) > 2 else 1
    if group == 1:
        return variable(keys)
    return library.call("repeat", variable(keys), group, axis=-3)


def _over_keys(name: str, n_keys: int, width: int, steps: Steps, fill: str) -> str:
    """Return bias or mask, padded to the width of the scores with extra keys."""
    if n_keys == width or steps.shape(name)[-1:] != (n_keys,):
        return name
    return f"beside_extra({name}, {width - n_keys}, {fill})"
