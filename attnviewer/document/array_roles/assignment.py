"""The assignment of arrays to roles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.document.array_roles.pick import HEADS, Pick, Shape, shape_of
from attnviewer.document.embeddings import Embedding
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.position_ids import POSITION_IDS

WEIGHTS = "W_Q", "W_K", "W_V"
EMBEDDED_ROLES = (
    *("X", "context", "P", "W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V"),
    *("W_G", "W_O", "b_O", MASK, BIAS),
)
"""Roles of arrays where queries, keys and values are computed."""
GIVEN_ROLES = "Q", "K", "V", MASK, BIAS
"""Roles where queries, keys and values are given."""
SCORED_ROLES = "weights", "scores", "V", MASK, BIAS
"""Roles where attention weights, or scores, are given."""
ROLES = (
    *dict.fromkeys((*EMBEDDED_ROLES, *GIVEN_ROLES, *SCORED_ROLES)),
    POSITION_IDS,  # beside rotary positions along several axes
)

LARGE_TOKENS = 2**17
LARGE_BYTES = 2**30
"""A larger document is not made without asking."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The array that takes each role.

    Parameters
    ----------
    picks : mapping of str to Pick
        The array for each role: some of `EMBEDDED_ROLES`, of `GIVEN_ROLES` or of
        `SCORED_ROLES`.
    n_heads : int
        Number of heads of the queries, side by side in the columns of W_Q or Q. Keys
        and values have as many as fit their columns. Attention weights and scores
        have as many as their pick joins.
    causal : bool
        Whether no query sees a key that comes after it.
    embedding : str
        How embeddings are made where the file has none: ``random`` or ``one-hot``.
    n_tokens : int
        Number of tokens of such embeddings.
    title : str
        The document's title.
    mask_hides : bool
        Whether 1 in the mask hides a key, as in PyTorch's ``nn.MultiheadAttention``,
        rather than shows it.
    choices : mapping of str to object
        Further fields of the `Spec` by name, such as ``scale``.
    tokens, context_tokens : tuple of str
        Names for the queries and for the keys of a second sequence, in place of those
        in the file; () keeps the file's.
    """

    picks: Mapping[str, Pick]
    n_heads: int = 1
    causal: bool = False
    embedding: Embedding = "random"
    n_tokens: int = 4
    title: str = "Imported"
    mask_hides: bool = False
    choices: Mapping[str, Any] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    context_tokens: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether queries, keys and values are given."""
        return not self.scored and bool(self.picks.keys() & {"Q", "K", "V"})

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles for arrays of this kind."""
        if self.scored:
            return SCORED_ROLES
        return GIVEN_ROLES if self.given else EMBEDDED_ROLES

    @property
    def scored(self) -> str:
        """The role of the attention weights or scores that are given; "" for none."""
        return next((role for role in ("weights", "scores") if role in self.picks), "")

    @property
    def projected(self) -> bool:
        """Whether Q, K and V are projected by weights."""
        return bool(self.picks.keys() & set(WEIGHTS))

    @property
    def makes_embeddings(self) -> bool:
        """Whether X is not in the file, and has to be made."""
        return self.projected and "X" not in self.picks


def joined_heads(
    picks: Mapping[str, Pick], shapes: Mapping[str, Shape], roles: tuple[str, ...]
) -> int:
    """Return how many heads the pick of the first of these roles joins."""
    for role in roles:
        pick = picks.get(role)
        if pick is not None and HEADS in pick.index and pick.array in shapes:
            axis, shape = pick.index.index(HEADS), shapes[pick.array]
            return shape[axis] if axis < len(shape) else 1
    return 1


def is_joined_below(role: str) -> bool:
    """Return whether a role stacks its heads in rows."""
    return role == "W_O"


def role_shapes(
    assignment: Assignment, shapes: Mapping[str, Shape]
) -> dict[str, tuple[int, int]]:
    """Return the shape of each matrix, where it can be picked from its array.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    """
    found = {}
    for role, pick in assignment.picks.items():
        if pick.array in shapes:
            try:
                found[role] = shape_of(
                    pick, shapes[pick.array], below=is_joined_below(role)
                )
            except ValueError:
                continue  # reported as a problem of the role
    if assignment.makes_embeddings and "W_Q" in found:
        found["X"] = assignment.n_tokens, found["W_Q"][0]
    return found


def excess(assignment: Assignment, shapes: Mapping[str, Shape]) -> str:
    """Return why a document should be made only after asking; "" if it need not.

    Parameters
    ----------
    assignment : Assignment
        The array that takes each role.
    shapes : mapping of str to tuple of int
        Shapes of the arrays.
    """
    found = role_shapes(assignment, shapes)
    size = 8 * sum(rows * columns for rows, columns in found.values())
    if size > LARGE_BYTES:
        return (
            f"The matrices take {size / 2**20:,.0f} MiB, more than the "
            f"{LARGE_BYTES // 2**20} MiB that are loaded without asking."
        )
    tokens = max(
        (found[r][0] for r in ("X", "context", "Q", "K", *SCORED_ROLES) if r in found),
        default=0,
    )
    if tokens > LARGE_TOKENS:
        return (
            f"There are {tokens:,} tokens, more than the {LARGE_TOKENS:,} that are "
            "loaded without asking."
        )
    return ""


def kv_heads(
    n_heads: int, queries: tuple[int, int], keys: tuple[int, int]
) -> int | None:
    """Return the number of key heads; None if the columns fit no number.

    Parameters
    ----------
    n_heads : int
        Heads of the queries.
    queries, keys : tuple of two int
        Shapes of W_Q and W_K.
    """
    width, rest = divmod(queries[1], n_heads)
    if rest or keys[1] % width:
        return None
    count = keys[1] // width
    return count if n_heads % count == 0 else None


def gate_columns(
    n_heads: int,
    queries: tuple[int, int],
    keys: tuple[int, int],
    values: tuple[int, int],
) -> int:
    """Return how many numbers all heads find for a token: h·d_v.

    Parameters
    ----------
    n_heads : int
        Heads of the queries.
    queries, keys, values : tuple of two int
        Shapes of W_Q, W_K and W_V, which fit.
    """
    shared = kv_heads(n_heads, queries, keys) or n_heads
    return values[1] // shared * n_heads
