"""Reasons why arrays do not fit their roles."""

from collections.abc import Mapping
from dataclasses import replace

from attnviewer.document.array_roles.assignment import (
    GIVEN_ROLES,
    SCORED_ROLES,
    WEIGHTS,
    Assignment,
    gate_columns,
    is_joined_below,
    joined_heads,
    kv_heads,
    role_shapes,
)
from attnviewer.document.array_roles.pick import Pick, Shape, shape_of
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.position_ids import POSITION_IDS
from attnviewer.document.rows import GIVEN

N_HEADS = "n_heads"
"""The key of problems with the number of heads."""


def problems(assignment: Assignment, shapes: Mapping[str, Shape]) -> dict[str, str]:
    """Return why arrays do not fit their roles.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.

    Returns
    -------
    dict of str to str
        A sentence for each role that does not fit, and for ``n_heads``; empty if a
        document can be made.
    """
    found = _checked(assignment, shapes)
    return {
        role: reason + _other_way(assignment, shapes, role)
        for role, reason in found.items()
    }


def _checked(assignment: Assignment, shapes: Mapping[str, Shape]) -> dict[str, str]:
    check = _Check(assignment, shapes)
    check.picks()
    if assignment.scored:
        check.scored()
    elif assignment.given:
        check.given()
    else:
        check.embedded()
    check.scores()
    return check.found


def _other_way(assignment: Assignment, shapes: Mapping[str, Shape], role: str) -> str:
    """Return a hint to add to a reason if a role would fit transposed."""
    pick = assignment.picks.get(role)
    if pick is None:
        return ""
    turned = replace(pick, transposed=not pick.transposed)
    trial = replace(assignment, picks={**assignment.picks, role: turned})
    if role in _checked(trial, shapes):
        return ""
    return " Transposed it fits." if turned.transposed else " Not transposed it fits."


class _Check:
    """The checks of one assignment."""

    def __init__(self, assignment: Assignment, shapes: Mapping[str, Shape]) -> None:
        self._assignment = assignment
        self._arrays = shapes
        self._shapes = role_shapes(assignment, shapes)
        self.found: dict[str, str] = {}

    def picks(self) -> None:
        for role, pick in self._assignment.picks.items():
            if pick.array not in self._arrays:
                self._add(role, f"There is no array '{pick.array}'.")
            elif role not in self._shapes:
                try:
                    self._shape_of(role, pick)
                except ValueError as error:
                    self._add(role, str(error))

    def given(self) -> None:
        for role in ("Q", "K", "V"):
            if role not in self._assignment.picks:
                self._add(role, "It is missing: Q, K and V are needed together.")
        for role in self._assignment.picks:
            if role not in (*GIVEN_ROLES, POSITION_IDS):
                self._add(role, "It has no place where Q, K and V are given.")
        if "K" in self._shapes:
            self._rows("V", self._shapes["K"][0], "K")
        self._heads(GIVEN)

    def scored(self) -> None:
        """Check attention weights or scores, and the values beside them."""
        role = self._assignment.scored
        for other in self._assignment.picks:
            if other not in SCORED_ROLES or {role, other} == {"weights", "scores"}:
                self._add(other, f"It has no place beside the given {role}.")
        if role in self._shapes and "V" in self._shapes:
            self._rows("V", self._n_scored_keys(), role, "columns")

    def _n_scored_keys(self) -> int:
        """Return how many keys each head of the given weights or scores has."""
        role, picks = self._assignment.scored, self._assignment.picks
        heads = joined_heads(picks, self._arrays, (role,))
        return self._shapes[role][1] // heads

    def embedded(self) -> None:
        assignment = self._assignment
        if not assignment.projected:
            self._simplified()
            return
        for role in WEIGHTS:
            if role not in assignment.picks:
                self._add(role, "It is missing: W_Q, W_K and W_V are needed together.")
        self._made()
        source = "context" if "context" in assignment.picks else "X"
        for role, sequence in zip(WEIGHTS, ("X", source, source), strict=True):
            if sequence in self._shapes:
                self._rows(role, self._shapes[sequence][1], sequence, "columns")
        self._heads(WEIGHTS)
        self._gates()
        for name in ("Q", "K", "V", "O"):
            self._bias(f"b_{name}", f"W_{name}")
        self._positions()

    def scores(self) -> None:
        asking, looked_at = ("Q", "K") if self._assignment.given else ("X", "context")
        if looked_at not in self._assignment.picks:
            looked_at = asking
        if self._assignment.scored in self._shapes:
            n_queries = self._shapes[self._assignment.scored][0]
            wanted = n_queries, self._n_scored_keys()
        elif asking in self._shapes and looked_at in self._shapes:
            wanted = self._shapes[asking][0], self._shapes[looked_at][0]
        else:
            return
        for role in (MASK, BIAS):
            if role in self._shapes and self._shapes[role] != wanted:
                self._add(
                    role,
                    "It must have a row for each query and a column for each key, "
                    f"{_by(wanted)}. It has {_by(self._shapes[role])}.",
                )

    def _simplified(self) -> None:
        if "X" not in self._assignment.picks:
            self._add("X", "It is missing: choose embeddings, weights, or Q, K and V.")
        for role in self._assignment.picks:
            if role.startswith(("W_", "b_")):
                self._add(role, "It has no place without W_Q, W_K and W_V.")
        if {"X", "context"} <= self._shapes.keys():
            self._columns("context", self._shapes["X"][1], "X")
        self._positions()

    def _made(self) -> None:
        assignment = self._assignment
        if not assignment.makes_embeddings or "X" not in self._shapes:
            return
        tokens, columns = self._shapes["X"]
        if assignment.embedding == "one-hot" and tokens > columns:
            self._add(
                "X",
                f"{tokens:,} one-hot rows need as many columns. W_Q has room for "
                f"{columns:,}.",
            )

    def _heads(self, roles: tuple[str, ...]) -> None:
        """Check the columns of Q, K and V, or of their weights."""
        count, shapes = self._assignment.n_heads, self._shapes
        if not set(roles) <= shapes.keys() - self.found.keys():
            return
        of_queries, of_keys, of_values = roles
        queries, keys, values = (shapes[role] for role in roles)
        if queries[1] % count:
            self._add(
                N_HEADS,
                f"The {queries[1]:,} columns of {of_queries} cannot be divided among "
                f"{count:,} heads.",
            )
            return
        shared = kv_heads(count, queries, keys)
        if shared is None and count == 1:
            self._columns(of_keys, queries[1], of_queries)
        elif shared is None:
            self._add(
                of_keys,
                f"It has {keys[1]:,} columns. The {count:,} heads of {of_queries} have "
                f"{queries[1] // count:,} each; they can share 1 key/value head, or "
                "any number that divides theirs.",
            )
        elif values[1] % shared:
            self._add(
                of_values,
                f"Its {values[1]:,} columns cannot be divided among {shared:,} heads.",
            )
        elif "W_O" in shapes:
            self._rows("W_O", values[1] // shared * count, "all heads", "columns")

    def _gates(self) -> None:
        shapes, count = self._shapes, self._assignment.n_heads
        if "X" in shapes:
            self._rows("W_G", shapes["X"][1], "X", "columns")
        if not {"W_G", *WEIGHTS} <= shapes.keys() - self.found.keys():
            return
        if N_HEADS in self.found:
            return
        queries, keys, values = (shapes[role] for role in WEIGHTS)
        mixed = gate_columns(count, queries, keys, values)
        wanted = {"elementwise": (mixed,), "headwise": (count,)}
        choice = self._assignment.choices.get("output_gate")
        allowed = wanted.get(str(choice), (mixed, count))
        if shapes["W_G"][1] not in allowed:
            listed = " or ".join(f"{columns:,}" for columns in allowed)
            self._add(
                "W_G",
                f"It must have {listed} columns: a gate for each number that the heads "
                f"find, or one for each head. It has {shapes['W_G'][1]:,}.",
            )

    def _bias(self, role: str, weight: str) -> None:
        if role not in self._shapes:
            return
        if weight not in self._assignment.picks:
            self._add(role, f"It has no place without {weight}.")
        elif weight in self._shapes.keys() - self.found.keys():
            wanted = 1, self._shapes[weight][1]
            if self._shapes[role] != wanted:
                self._add(
                    role,
                    f"It must be a row of {wanted[1]:,} numbers, one for each column "
                    f"of {weight}. It has {_by(self._shapes[role])}.",
                )

    def _positions(self) -> None:
        if not {"X", "P"} <= self._shapes.keys():
            return
        rows, _ = self._shapes["P"]
        tokens, width = self._shapes["X"]
        self._columns("P", width, "X")
        if rows < tokens:
            self._add("P", f"It has {rows:,} rows; there are {tokens:,} tokens.")

    def _rows(self, role: str, count: int, other: str, what: str = "rows") -> None:
        self._agree(role, 0, count, other, what)

    def _columns(self, role: str, count: int, other: str) -> None:
        self._agree(role, 1, count, other, "columns")

    def _agree(self, role: str, axis: int, count: int, other: str, what: str) -> None:
        if role not in self._shapes or self._shapes[role][axis] == count:
            return
        own = "rows" if axis == 0 else "columns"
        verb = "have" if other == "all heads" else "has"
        self._add(
            role,
            f"It has {self._shapes[role][axis]:,} {own}; "
            f"{other} {verb} {count:,} {what}.",
        )

    def _shape_of(self, role: str, pick: Pick) -> tuple[int, int]:
        return shape_of(pick, self._arrays[pick.array], below=is_joined_below(role))

    def _add(self, role: str, reason: str) -> None:
        self.found.setdefault(role, reason)


def _by(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,}×{shape[1]:,}"
