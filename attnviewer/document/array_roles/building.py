"""Documents from arrays with roles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from attnviewer.compute import Array, Learned, Rotary, Spec
from attnviewer.document.array_roles.assignment import (
    WEIGHTS,
    Assignment,
    gate_columns,
    is_joined_below,
    joined_heads,
    kv_heads,
)
from attnviewer.document.array_roles.pick import taken
from attnviewer.document.array_roles.problems import problems
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError
from attnviewer.document.embeddings import embed, random_recipe
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.position_ids import POSITION_IDS
from attnviewer.document.rows import rows_of
from attnviewer.document.sequences import next_names


def build(
    assignment: Assignment,
    arrays: Mapping[str, Array],
    tokens: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Document:
    """Return a new document of arrays.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    arrays : mapping of str to ndarray
        The arrays; only the picked parts are read.
    tokens : mapping of str to sequence of str
        The row names of arrays that have them. Other rows are numbered.

    Raises
    ------
    EditError
        If they do not fit each other.
    """
    shapes = {name: array.shape for name, array in arrays.items()}
    wrong = problems(assignment, shapes)
    if wrong:
        raise EditError(" ".join(f"{role}: {why}" for role, why in wrong.items()))
    matrices: dict[str, Array] = {
        role: taken(pick, arrays[pick.array], below=is_joined_below(role))
        for role, pick in assignment.picks.items()
    }
    if MASK in matrices:
        matrices[MASK] = _visible(matrices[MASK]) != assignment.mask_hides
    if role := assignment.scored:
        n_heads = joined_heads(assignment.picks, shapes, (role,))
        assignment = replace(assignment, n_heads=n_heads)
        matrices["S"] = matrices.pop(role)
        # One-hot values by default: the output is then the weights.
        matrices.setdefault("V", np.eye(matrices["S"].shape[1] // n_heads))
    recipes = []
    if assignment.makes_embeddings:
        shape = assignment.n_tokens, len(matrices["W_Q"])
        matrices["X"] = embed(next_names((), shape[0]), shape[1], assignment.embedding)
        if assignment.embedding == "random":
            recipes.append(random_recipe("X", shape, 0))
    spec = _spec(assignment, matrices)
    asking, looked_at = spec.sources[:2] if spec.given else ("X", "context")

    def named(role: str, given: tuple[str, ...]) -> tuple[str, ...]:
        """Return the row names of a matrix."""
        if given:
            return given
        own = assignment.scored if role == "S" else role
        pick, count = assignment.picks.get(own), len(matrices[role])
        names = tuple(tokens.get(pick.array, ())) if pick is not None else ()
        return names if len(names) == count else next_names((), count)

    return Document(
        assignment.title,
        named(asking, assignment.tokens),
        matrices,
        spec,
        context_tokens=(
            named(looked_at, assignment.context_tokens) if spec.context else ()
        ),
        recipes=recipes,
    )


def build_described(
    title: str,
    spec: Spec,
    arrays: Mapping[str, Array],
    tokens: Sequence[str] = (),
    context_tokens: Sequence[str] = (),
    *,
    notes: str = "",
) -> Document:
    """Return a new document of arrays named after the inputs of a spec.

    Parameters
    ----------
    title : str
        The document's title.
    spec : Spec
        The attention variant.
    arrays : mapping of str to ndarray
        The arrays; those that are not inputs of the spec are ignored.
    tokens, context_tokens : sequence of str
        Names of rows and keys, see `Document`; numbered by default.
    notes : str
        The document's notes.

    Raises
    ------
    EditError
        If they do not fit each other.
    """
    matrices = {name: arrays[name] for name in spec.input_names if name in arrays}
    if MASK in matrices:
        matrices[MASK] = _visible(matrices[MASK])
    rows = rows_of(spec, matrices)

    def named(given: Sequence[str], of: Sequence[str]) -> Sequence[str]:
        """Return the row names of the first of these matrices that exists."""
        first = next((matrices[name] for name in of if name in matrices), ())
        return given if given and of else next_names((), len(first))

    return Document(
        title,
        named(tokens, rows.tokens),
        matrices,
        spec,
        notes=notes,
        context_tokens=named(context_tokens, rows.context_tokens),
    )


def _spec(assignment: Assignment, matrices: Mapping[str, Array]) -> Spec:
    scored, projected = bool(assignment.scored), assignment.projected
    given = assignment.given or scored
    n_heads, n_kv_heads = 1, None
    if scored:
        n_heads = assignment.n_heads
        n_kv_heads = None if n_heads == 1 else 1
    elif given or projected:
        sides = ("Q", "K") if given else ("W_Q", "W_K")
        n_heads = assignment.n_heads
        count = kv_heads(n_heads, *(_shape(matrices[name]) for name in sides))
        n_kv_heads = None if count == n_heads else count
    if given:
        queries, keys = ("S", "V") if scored else ("Q", "K")
        alike = len(matrices[queries]) == len(matrices[keys])
        context = not alike or bool(assignment.context_tokens)
    else:
        context = "context" in matrices
    choices = {"causal": assignment.causal, **assignment.choices}
    if "W_G" in matrices and projected:
        q, k, v = (_shape(matrices[name]) for name in WEIGHTS)
        by_number = _shape(matrices["W_G"])[1] == gate_columns(n_heads, q, k, v)
        choices.setdefault("output_gate", "elementwise" if by_number else "headwise")
    elif "output_gate" in choices:
        raise EditError("W_G: It must be given with output_gate, beside W_Q.")
    if scored:
        choices |= {"score": "given", "scale": choices.get("scale", 1.0)}
    if assignment.scored == "weights":
        choices.setdefault("normalizer", "none")
    if "P" in matrices:
        if "positions" in choices:
            raise EditError("P: It cannot be combined with other positions.")
        choices["positions"] = Learned()
    scheme = choices.get("positions")
    axial = isinstance(scheme, Rotary) and scheme.axes is not None
    if axial != (POSITION_IDS in matrices):
        raise EditError(
            f"{POSITION_IDS}: It must be given with rotary positions along several "
            "axes, as in positions=rope[sections=16:24:24], and only with them."
        )
    try:
        return Spec(
            projected=projected,
            given=given,
            context=context,
            n_heads=n_heads,
            n_kv_heads=n_kv_heads,
            heads_joined=given and n_heads > 1,
            biases=tuple(b for b in ("b_Q", "b_K", "b_V", "b_O") if b in matrices),
            output_projection="W_O" in matrices,
            bias=BIAS in matrices,
            mask=MASK in matrices,
            **choices,
        )
    except ValueError as error:
        raise EditError(str(error)) from None


def _shape(matrix: Array) -> tuple[int, int]:
    rows, columns = matrix.shape
    return rows, columns


def _visible(mask: Array) -> Array:
    """Return a boolean mask from one of 1 and 0."""
    visible: Array = mask != 0
    if not np.array_equal(visible, mask):
        raise EditError(
            f"{MASK}: It must hold 1 where a query may look and 0 elsewhere. Numbers "
            f"that are added to the scores are a {BIAS}."
        )
    return visible
