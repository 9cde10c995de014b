"""Descriptions of assignments and their results."""

from collections.abc import Mapping

from attnviewer.document.array_roles.assignment import Assignment
from attnviewer.document.array_roles.pick import HEADS, AxisIndex
from attnviewer.document.array_roles.problems import N_HEADS
from attnviewer.one_line import one_line
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Assigning")

LETTERS = "ijkl"
"""Letters for the indices picked along axes."""
Shapes = Mapping[str, tuple[int, int]]


def role_titles() -> dict[str, str]:
    """Return the title of each role, translated."""
    return {
        "X": _tr("embeddings"),
        "context": _tr("second sequence"),
        "P": _tr("positions, added to X"),
        "Q": _tr("queries"),
        "K": _tr("keys"),
        "V": _tr("values"),
        "W_Q": _tr("query weights"),
        "b_Q": _tr("query bias"),
        "W_K": _tr("key weights"),
        "b_K": _tr("key bias"),
        "W_V": _tr("value weights"),
        "b_V": _tr("value bias"),
        "W_G": _tr("gate weights"),
        "W_O": _tr("output weights"),
        "b_O": _tr("output bias"),
        "weights": _tr("attention weights"),
        "scores": _tr("scores, before they are normalised"),
        "mask": _tr("1 where a query may look"),
        "bias": _tr("added to the scores"),
    }


def form_text(form: tuple[AxisIndex, ...]) -> str:
    """Format how axes are used: ``[i, heads, :, :]``."""
    letters = iter(LETTERS)
    heads = _tr("heads")
    entries = (
        ":" if axis is None else heads if axis == HEADS else next(letters)
        for axis in form
    )
    return f"[{', '.join(entries)}]"


def array_text(name: str, shape: tuple[int, ...]) -> str:
    """Return the text of an array in a list: its name and shape."""
    return f"{one_line(name)}  ({'×'.join(map(str, shape))})"


def outcome(assignment: Assignment, shapes: Shapes) -> str:
    """Return one sentence about the document that a valid assignment makes.

    Parameters
    ----------
    assignment : Assignment
        The roles of the arrays.
    shapes : mapping of str to tuple of two int
        The shape of each matrix.
    """
    if assignment.scored:
        return _outcome_scored(assignment, shapes)
    queries = shapes["Q" if assignment.given else "X"]
    parts = [_tr("{0:,} tokens × {1:,} features").format(*queries)]
    if assignment.given:
        parts = [_tr("{0:,} queries × {1:,} features").format(*queries)]
        parts.append(_tr("{0:,} keys").format(shapes["K"][0]))
        parts.append(_tr("values of {0:,}").format(shapes["V"][1]))
        if assignment.n_heads > 1:
            text = _tr("{0:,} heads of {1:,}")
            width = queries[1] // assignment.n_heads
            parts.append(text.format(assignment.n_heads, width))
    elif "context" in assignment.picks:
        text = _tr("{0:,} tokens × {1:,} features in the second sequence")
        parts.append(text.format(*shapes["context"]))
    if assignment.projected:
        width = shapes["W_Q"][1] // assignment.n_heads
        text = _tr("1 head of {1:,}")
        if assignment.n_heads > 1:
            text = _tr("{0:,} heads of {1:,}")
        parts.append(text.format(assignment.n_heads, width))
        if "W_O" in shapes:
            parts.append(_tr("output of {0:,}").format(shapes["W_O"][1]))
    elif not assignment.given:
        parts.append(_tr("without projections"))
    for role, text in (("mask", _tr("mask")), ("bias", _tr("bias on the scores"))):
        if role in assignment.picks:
            parts.append(text)
    if assignment.causal:
        parts.append(_tr("causal"))
    return ", ".join(parts) + "."


def first_problem(wrong: Mapping[str, str]) -> str:
    """Return the first of the problems by role, and the number of others."""
    role, reason = next(iter(wrong.items()))
    name = _tr("Heads") if role == N_HEADS else role
    text = _tr("{role}: {reason}").format(role=name, reason=reason)
    more = len(wrong) - 1
    if not more:
        return text
    if more == 1:
        return f"{text} {_tr('1 more does not fit.')}"
    return f"{text} {_tr('{count} more do not fit.').format(count=more)}"


def _outcome_scored(assignment: Assignment, shapes: Shapes) -> str:
    n_queries, columns = shapes[assignment.scored]
    parts = [_tr("{0:,} queries × {1:,} keys")]
    n_heads = assignment.n_heads
    if n_heads > 1:
        parts.append(_tr("{2:,} heads"))
    parts.append(_tr("values of {3:,}") if "V" in shapes else _tr("one-hot values"))
    width = shapes["V"][1] if "V" in shapes else 0
    text = ", ".join(parts)
    return text.format(n_queries, columns // n_heads, n_heads, width) + "."
