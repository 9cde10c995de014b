"""The term of a score that is a sum over columns: its values and its gradients."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Expression, Named, Number, Operation
from attnviewer.compute.rules.symbols import nodes

Values = dict[Expression, Array]


def value(term: Expression, known: Values) -> Array:
    """Return the value of a term, and add those of its parts to `known`.

    Parameters
    ----------
    term : Expression
        The term.
    known : dict of Expression to ndarray
        The values of its symbols, which broadcast to (..., n_q, n_k).
    """
    if term not in known:
        parts = [value(part, known) for part in term.parts]
        match term:
            case Number():
                known[term] = np.asarray(term.value)
            case Named():
                known[term] = parts[0]
            case Operation():
                known[term] = term.compute(*parts)
            case _:
                raise TypeError(
                    f"A term must be made of operations. Got {term!r} instead."
                )
    return known[term]


def gradients(
    term: Expression, known: Values, gradient: Array, symbols: Sequence[Expression]
) -> list[Array]:
    """Return the gradient on each symbol, before it is summed over what it serves.

    By reverse accumulation, after `value` has been called with the same `known`.

    Parameters
    ----------
    term : Expression
        The term.
    known : dict of Expression to ndarray
        The values of the term and of its parts.
    gradient : ndarray, shape (..., n_q, n_k)
        The gradient on the term.
    symbols : sequence of Expression
        The symbols that are asked for.

    Returns
    -------
    list of ndarray, shape (..., n_q, n_k)
        One for each of `symbols`.
    """
    passed = {term: gradient}
    for node in reversed(list(nodes(term))):
        if node not in passed:
            continue
        if isinstance(node, Operation):
            slopes = node.slopes(known[node], *(known[part] for part in node.parts))
        else:
            slopes = tuple(np.ones(()) for _ in node.parts)
        for part, slope in zip(node.parts, slopes, strict=True):
            share = passed[node] * slope
            passed[part] = passed[part] + share if part in passed else share
    none = np.zeros_like(gradient)
    return [passed.get(symbol, none) for symbol in symbols]
