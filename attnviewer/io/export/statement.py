"""The metadata of every export, so that it can be reproduced."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from attnviewer.compute import Pin, Slip, Spec, Trace
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export_markers import FOLDED, NOTES, READOUT, SPEC
from attnviewer.io.session.spec_part import spec_to_plain
from attnviewer.version import __version__


def statement(computation: Computation) -> dict[str, str]:
    """Return title, variant, scale, mask and all other choices, and the version.

    Parameters
    ----------
    computation : Computation
        The computation that is exported.

    Returns
    -------
    dict of str to str
        In reading order; unusual choices at their defaults are left out.
    """
    return {
        "title": computation.title,
        **choices(computation.trace.spec),
        **_precision(computation.trace),
        **({"training": computation.training} if computation.training else {}),
        "attnviewer": __version__,
    }


def with_numbers(
    computation: Computation, choice: Choice
) -> dict[str, str | list[list[float]] | dict[str, Any]]:
    """Return the statement of a file of numbers: with the readout, and `reopening`.

    Parameters
    ----------
    computation : Computation
        The computation that is exported.
    choice : Choice
        The parts that are exported.
    """
    readout = computation.readout
    numbers = {} if readout is None else {READOUT: readout.tolist()}
    return {
        **statement(computation),
        **folding(computation, choice),
        **first_cell(choice),
        **numbers,
        **reopening(computation, choice),
    }


def folding(computation: Computation, choice: Choice) -> dict[str, str]:
    """Return the entry of the statement that says how groups of tokens are combined.

    Parameters
    ----------
    computation : Computation
        The computation that is exported.
    choice : Choice
        The parts that are exported.
    """
    weights = computation.trace.pipeline.weights
    folded = choice.folded_in(computation.trace, weights)
    if folded is None or weights not in (choice.steps or (weights,)):
        return {}
    return {FOLDED: str(folded)}


def first_cell(choice: Choice) -> dict[str, str]:
    """Return the entries of the statement that say where chosen cells begin."""
    here = choice.cells
    if here is None:
        return {}
    return {"first_row": str(here.row), "first_column": str(here.column)}


def reopening(
    computation: Computation, choice: Choice
) -> dict[str, dict[str, Any] | str]:
    """Return the entries of the statement with which the export opens as a document.

    Parameters
    ----------
    computation : Computation
        The computation that is exported.
    choice : Choice
        The parts that are exported.

    Returns
    -------
    dict of str to dict or str
        The spec as plain values, and the notes if there are any; empty if an input is
        left out, or has a shape that a document cannot hold.
    """
    trace, labels = computation.trace, computation.labels
    inputs = trace.spec.input_names
    if choice.cells is not None or not set(inputs) <= set(choice.steps or inputs):
        return {}
    if trace.spec.values or any(len(trace.shape(name)) > 2 for name in inputs):
        return {}
    scores = len(labels.queries), len(labels.keys)
    if any(trace.shape(name) != scores for name in {BIAS, MASK} & set(inputs)):
        return {}
    notes = {NOTES: computation.notes} if computation.notes else {}
    return {SPEC: spec_to_plain(trace.spec), **notes}


def statement_line(computation: Computation) -> str:
    """Return the statement as one line of text, for comments and captions."""
    entries = statement(computation)
    title = " ".join(entries.pop("title").split())
    version = entries.pop("attnviewer")
    named = (f"{name.replace('_', ' ')}: {value}" for name, value in entries.items())
    return f"{title} — {'; '.join(named)} (attnviewer {version})"


def statement_lines(computation: Computation) -> list[str]:
    """Return the statement as lines of text: the title, then one for each choice."""
    entries = statement(computation)
    title = " ".join(entries.pop("title").split())
    return [
        title,
        *(f"{name.replace('_', ' ')}: {value}" for name, value in entries.items()),
    ]


def choices(spec: Spec) -> dict[str, str]:
    """Return the choices of a spec: the usual ones, and others not at their default."""
    by_default = "1/sqrt(d_k)" if spec.scaled else "1.0"
    usual = {
        "variant": spec.variant,
        "n_heads": str(spec.n_heads),
        "output_projection": yes_no(spec.output_projection),
        "scale": by_default if spec.scale is None else repr(float(spec.scale)),
        "causal": yes_no(spec.causal),
        "normalizer": spec.normalizer,
    }
    others = {}
    for field in fields(spec):
        value = getattr(spec, field.name)
        # The variant's name covers projections and the source of keys.
        is_named = field.name in usual or field.name in (
            "projected",
            "given",
            "context",
        )
        if not is_named and value != field.default:
            others[field.name] = _choice(value)
    return usual | others


def yes_no(value: object) -> str:
    """Return a truth value as a word."""
    return "yes" if value else "no"


def _choice(value: object) -> str:
    if isinstance(value, tuple) and any(isinstance(part, Pin | Slip) for part in value):
        return "; ".join(map(str, value))
    if is_dataclass(value):
        named = ((field.name, getattr(value, field.name)) for field in fields(value))
        given = (f"{name}={part!r}" for name, part in named if part is not None)
        return f"{type(value).__name__}({', '.join(given)})"
    return yes_no(value) if isinstance(value, bool) else str(value)


def _precision(trace: Trace) -> dict[str, str]:
    dtype = np.dtype(
        trace.window(trace.pipeline.weights, slice(0, 1), slice(0, 1)).dtype
    )
    return {} if dtype == np.float64 else {"numbers": str(dtype)}
