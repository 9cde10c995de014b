"""Which array is what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.document.array_roles.pick import HEADS, Pick, Shape, shape_of
from attnviewer.document.embeddings import Embedding
from attnviewer.document.matrices import BIAS, MASK

WEIGHTS = "W_Q", "W_K", "W_V"
EMBEDDED_ROLES = (
    *("X", "context", "P", "W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O"),
    *(MASK, BIAS),
)
"""What arrays can be where queries, keys and values are computed."""
GIVEN_ROLES = "Q", "K", "V", MASK, BIAS
"""What arrays can be where they are given."""
SCORED_ROLES = "weights", "scores", "V", MASK, BIAS
"""What arrays can be where attention weights, or scores, are given."""
ROLES = (*dict.fromkeys((*EMBEDDED_ROLES, *GIVEN_ROLES, *SCORED_ROLES)),)

LARGE_TOKENS = 4096
LARGE_BYTES = 64 * 2**20
"""What is larger is not taken into a document without asking."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which array is what.

    Parameters
    ----------
    picks : mapping of str to Pick
        What is taken for each role: some of `EMBEDDED_ROLES`, of `GIVEN_ROLES` or of
        `SCORED_ROLES`.
    n_heads : int
        Number of heads of the queries, side by side in the columns of W_Q or Q. Keys
        and values have as many as fit their columns. Attention weights and scores
        have as many as their pick joins.
    causal : bool
        Whether no query sees a key that comes after it.
    embedding : str
        How embeddings are made where there is none: ``random`` or ``one-hot``.
    n_tokens : int
        Of how many tokens.
    title : str
        What the document is called.
    mask_hides : bool
        Whether 1 in the mask hides a key, as in PyTorch's ``nn.MultiheadAttention``,
        rather than shows it.
    choices : mapping of str to object
        Other choices by the names of the fields of a `Spec`, such as ``scale``.
    tokens, context_tokens : tuple of str
        What the queries and the keys of a second sequence are called, whatever the
        file says; () for what it says.
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
        """The roles that there are for arrays of its kind."""
        if self.scored:
            return SCORED_ROLES
        return GIVEN_ROLES if self.given else EMBEDDED_ROLES

    @property
    def scored(self) -> str:
        """The role of the attention weights or scores that are given; "" for none."""
        return next((role for role in ("weights", "scores") if role in self.picks), "")

    @property
    def projected(self) -> bool:
        """Whether there are weights."""
        return bool(self.picks.keys() & set(WEIGHTS))

    @property
    def makes_embeddings(self) -> bool:
        """Whether X is not in the file, and has to be made."""
        return self.projected and "X" not in self.picks


def joined_heads(
    picks: Mapping[str, Pick], shapes: Mapping[str, Shape], roles: tuple[str, ...]
) -> int:
    """Return how many heads are joined by the pick of the first of some roles."""
    for role in roles:
        pick = picks.get(role)
        if pick is not None and HEADS in pick.index and pick.array in shapes:
            axis, shape = pick.index.index(HEADS), shapes[pick.array]
            return shape[axis] if axis < len(shape) else 1
    return 1


def is_joined_below(role: str) -> bool:
    """Tell whether a role has its heads one below the other."""
    return role == "W_O"


def role_shapes(
    assignment: Assignment, shapes: Mapping[str, Shape]
) -> dict[str, tuple[int, int]]:
    """Return the shape of each matrix that can be taken out of its array.

    Parameters
    ----------
    assignment : Assignment
        Which array is what.
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
                continue  # which is told as a problem of the role
    if assignment.makes_embeddings and "W_Q" in found:
        found["X"] = assignment.n_tokens, found["W_Q"][0]
    return found


def excess(assignment: Assignment, shapes: Mapping[str, Shape]) -> str:
    """Return why a document should not be made without asking; empty if it may.

    Parameters
    ----------
    assignment : Assignment
        Which array is what.
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
    """Return how many heads keys have; None if their columns fit no number of them.

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
