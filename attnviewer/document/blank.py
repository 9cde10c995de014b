"""New documents of chosen sizes, with zeros in all their matrices."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import Spec, Variant
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError
from attnviewer.document.sequences import next_names

MOST_TOKENS = 2**14
"""The most tokens of a sequence, and the largest width."""
MOST_CELLS = 2**24
"""The most cells of all matrices together."""

Shape = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that decide the shapes of a new document's matrices.

    Parameters
    ----------
    variant : str
        The attention variant.
    n_tokens, n_context : int
        Tokens of the sequence, and of the second one of cross-attention.
    d_model : int
        Columns of the embeddings; not used where Q, K and V, or scores, are given.
    d_k, d_v : int
        Columns of one head's queries and keys, and of its values; simplified
        self-attention uses neither, and given scores have values alone.
    n_heads : int
        Heads of multi-head attention and cross-attention; the others have one.
    """

    variant: Variant = "self"
    n_tokens: int = 4
    n_context: int = 3
    d_model: int = 4
    d_k: int = 4
    d_v: int = 4
    n_heads: int = 2

    @property
    def used(self) -> tuple[str, ...]:
        """The names of the sizes that the variant has."""
        names = {
            "simplified": ("n_tokens", "d_model"),
            "self": ("n_tokens", "d_model", "d_k", "d_v"),
            "multi_head": ("n_tokens", "d_model", "d_k", "d_v", "n_heads"),
            "cross": ("n_tokens", "n_context", "d_model", "d_k", "d_v", "n_heads"),
            "given": ("n_tokens", "d_k", "d_v"),
            "given_scores": ("n_tokens", "d_v"),
        }
        return names[self.variant]

    @property
    def spec(self) -> Spec:
        """The variant as a spec, with everything else at its default."""
        if self.variant == "given":
            return Spec(projected=False, given=True)
        if self.variant == "given_scores":
            return Spec(projected=False, given=True, score="given")
        if self.variant == "simplified":
            return Spec(projected=False)
        heads = self.n_heads if "n_heads" in self.used else 1
        return Spec(
            context=self.variant == "cross",
            n_heads=heads,
            output_projection=self.variant == "multi_head" or heads > 1,
        )

    def shapes(self) -> dict[str, Shape]:
        """Return the shape of every matrix, in the order of the computation.

        Raises
        ------
        EditError
            If a size is out of range, or all matrices together are too large.
        """
        for name in self.used:
            value = getattr(self, name)
            if not 1 <= value <= MOST_TOKENS:
                raise EditError(
                    f"The '{name}' must be from 1 to {MOST_TOKENS}. "
                    f"Got {value} instead."
                )
        spec = self.spec
        queries = self.d_model, spec.n_heads * self.d_k
        values = self.d_model, spec.n_heads * self.d_v
        shapes = {
            "X": (self.n_tokens, self.d_model),
            "context": (self.n_context, self.d_model),
            "Q": (self.n_tokens, self.d_k),
            "K": (self.n_tokens, self.d_k),
            "V": (self.n_tokens, self.d_v),
            "S": (self.n_tokens, self.n_tokens),
            "W_Q": queries,
            "W_K": queries,
            "W_V": values,
            "W_O": (values[1], self.d_model),
        }
        shapes = {name: shapes[name] for name in shapes if name in spec.input_names}
        cells = sum(rows * columns for rows, columns in shapes.values())
        if cells > MOST_CELLS:
            raise EditError(
                f"The matrices must have at most {MOST_CELLS:,} cells together. "
                f"Got {cells:,} instead."
            )
        return shapes


def blank_document(
    title: str,
    sizes: Sizes,
    tokens: Iterable[str] = (),
    context_tokens: Iterable[str] = (),
) -> Document:
    """Return a new document whose matrices hold zeros.

    Parameters
    ----------
    title : str
        The document's title.
    sizes : Sizes
        Variant and dimensions.
    tokens, context_tokens : iterable of str
        The names of the tokens, which then replace `n_tokens` and `n_context`; numbered
        by default.

    Raises
    ------
    EditError
        If a size is out of range.
    """
    tokens, context_tokens = tuple(tokens), tuple(context_tokens)
    sizes = replace(
        sizes,
        n_tokens=len(tokens) or sizes.n_tokens,
        n_context=len(context_tokens) or sizes.n_context,
    )
    matrices = {name: np.zeros(shape) for name, shape in sizes.shapes().items()}
    keys = context_tokens or next_names((), sizes.n_context)
    return Document(
        title,
        tokens or next_names((), sizes.n_tokens),
        matrices,
        sizes.spec,
        context_tokens=keys if sizes.spec.context else (),
    )
