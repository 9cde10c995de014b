"""Masks, and the number of keys that a query sees, as code."""

from functools import singledispatch

from attnviewer.compute import Shape
from attnviewer.compute.masks import Causal, Chunk, Mask, Window
from attnviewer.compute.notation import Library
from attnviewer.compute.stages import ApplyMask, ScaleByLength
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.offset_code import per_item, plain, plus_items


def seen_lines(
    stage: ApplyMask, given: list[str], counts: tuple[int, int], library: Library
) -> list[str]:
    """Return the lines that compute which keys are ``seen``.

    Parameters
    ----------
    stage : ApplyMask
        The mask.
    given : list of str
        The given mask, as wide as the scores, if there is one.
    counts : tuple of two int
        The numbers of queries and keys.
    library : Library
        The functions.
    """
    n_q, n_k = counts
    tests = [test for rule in stage.rules for test in _tests(rule)]
    if stage.key_lengths is not None:
        lengths = plain(stage.key_lengths)
        if isinstance(stage.key_lengths, tuple):
            lengths = per_item(stage.key_lengths, "None, None, None", library)
        tests.append(f"keys < {lengths}")
    lines = []
    if tests:
        if stage.rules:
            offset = plus_items(stage.query_offset, library)
            lines.append(f"queries = {library.call('arange', n_q)}[:, None]{offset}")
        lines.append(f"keys = {library.call('arange', n_k)}[None, :]")
        seen = [tests[0], *(f"({test})" for test in tests[1:])]
        if len(tests) > 1:
            seen[0] = f"({tests[0]})"
        lines.append(f"seen = {' & '.join(seen)}")
        if stage.n_keys < n_k:
            lines.append(f"seen = seen | (keys >= {stage.n_keys})")
    for mask in given:
        lines.append(f"seen = seen & {mask}" if tests else f"seen = {mask}")
    return lines


def length_lines(stage: ScaleByLength, shape: Shape, library: Library) -> list[str]:
    """Return the lines that scale scores by the length, after those of ``seen``.

    Parameters
    ----------
    stage : ScaleByLength
        The stage.
    shape : tuple of int
        The shape of the scores.
    library : Library
        The functions.
    """
    rule, lines = stage.rule, []
    *_, n_q, n_k = shape
    if rule.counted == "position":
        offset = plus_items(stage.query_offset, library)
        least = library.call("where", "places < 0", 0, "places")
        lines = [
            f"queries = {library.call('arange', n_q)}[:, None]{offset}",
            f"places = (queries + 1) // {rule.floor}",
            f"length = {least} + 1",
        ]
    elif stage.mask.hides_some:
        lines = [
            f"length = (1.0 * seen).{library.sum_over((-1,))}",
            f"length = {library.call('where', 'length == 0', 1, 'length')}",
        ]
    else:
        lines = [f"length = {library.call('array', [[n_k]])}"]
    factor = library.call("log", "length")
    if rule.scale != 1:
        factor = f"{float(rule.scale)!r} * {factor}"
    if rule.offset:
        factor = f"({float(rule.offset)!r} + {factor})"
    scores = variable(stage.inputs[0])
    return [*lines, f"{variable(stage.name)} = {scores} * {factor}"]


@singledispatch
def _tests(rule: Mask) -> list[str]:
    raise ValueError(f"There is no program yet for masks of {type(rule).__name__}.")


@_tests.register
def _(rule: Causal) -> list[str]:
    return ["keys <= queries"]


@_tests.register
def _(rule: Chunk) -> list[str]:
    return [f"keys // {rule.size} == queries // {rule.size}"]


@_tests.register
def _(rule: Window) -> list[str]:
    tests = []
    if rule.left is not None:
        tests.append(f"keys >= queries - {rule.left}")
    if rule.right is not None:
        tests.append(f"keys - {rule.right} <= queries")
    return tests
