"""The QK or OV circuit of a head, as two low-rank factors."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.curve_svg import curve_svg
from attnviewer.compute.html import table_html
from attnviewer.compute.number_text import format_number
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.circuits.vocabulary import embedded, unembedded
from attnviewer.models.model import Model

Kind: TypeAlias = Literal["QK", "OV"]
"""Which of the two matrices of a head."""
Side: TypeAlias = Literal["left", "right"]
"""The matrix that a circuit multiplies from the left, or from the right."""
_COLUMNS = "singular value", "share of ‖M‖²", "eigenvalue, real", "imaginary"
_DECIMALS = 4


class TokenProjection(NamedTuple):
    """A token and its product with a singular vector.

    Parameters
    ----------
    id : int
        Its id.
    token : str
        The token in readable form.
    value : float
        The product, of either sign.
    """

    id: int
    token: str
    value: float


@dataclass(frozen=True, eq=False)
class Circuit:
    """The matrix M = left rightᵀ, shape (d_model, d_model), of rank d_head at most.

    Rows of the residual stream stand to its left. The QK circuit gives the score
    x_i M x_jᵀ of query i and key j; the OV circuit is what a head writes of token j
    where it attends to it with weight 1, x_j M. M itself is never computed.

    Parameters
    ----------
    kind : str
        ``QK`` or ``OV``.
    layer, head : int
        The head.
    left, right : ndarray of float64, shape (d_model, d_head)
        The factors.
    distance : int or None
        Position of the key minus that of the query, where queries and keys are
        rotated by their positions.
    """

    kind: Kind
    layer: int
    head: int
    left: Array
    right: Array
    distance: int | None = None

    @property
    def singular_values(self) -> Array:
        """Its singular values, the largest first, shape (r,), r = min(d_model, d_head).

        The other singular values of M are zero.
        """
        return self._decomposed[1]

    @property
    def left_vectors(self) -> Array:
        """Singular vectors as columns, shape (d_model, r).

        The directions of queries (QK), or those that the head reads (OV).
        """
        return self._decomposed[0]

    @property
    def right_vectors(self) -> Array:
        """Singular vectors as columns, shape (d_model, r).

        The directions of keys (QK), or those that the head writes (OV).
        """
        return self._decomposed[2]

    @cached_property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Its eigenvalues, the largest in absolute value first, shape (d_head,).

        They are those of rightᵀ left; the other eigenvalues of M are zero.
        """
        with one_blas_thread():
            values = np.linalg.eigvals(self.right.T @ self.left)  # (d_head,)
        order = np.argsort(-np.abs(values), kind="stable")
        return values[order].astype(np.complex128)

    @property
    def norm(self) -> float:
        """Its Frobenius norm, ‖M‖."""
        return float(np.linalg.norm(self.singular_values))

    def top_tokens(
        self, model: Model, index: int = 0, side: Side = "left", count: int = 10
    ) -> list[TokenProjection]:
        """Return the tokens that have the largest products with a singular vector.

        What is read is compared with the token embeddings, W_E v, and what an OV
        circuit writes (``right``) with the unembedding, v W_U; the weights of the norm
        after the embedding (BERT) and of the final norm are folded in. Positions and
        earlier layers, which change what a head reads of a token, are left out.

        Parameters
        ----------
        model : Model
            The circuit's model.
        index : int
            The singular vector, from that of the largest singular value.
        side : str
            ``left``: of the query (QK), or of what is read (OV); ``right``: of the key,
            or of what is written.
        count : int
            How many tokens.

        Returns
        -------
        list of TokenProjection
            The largest in absolute value first. Both vectors of an index may change
            their sign together, so that signs only tell the tokens of one side from
            those of the other.

        Raises
        ------
        IndexError
            If there is no such singular vector.
        ValueError
            If the model has another width, or no unembedding where that is needed, or a
        product is not finite.

        References
        ----------
        Millidge and Black 2022, "The Singular Value Decompositions of Transformer
        Weight Matrices are Highly Interpretable".
        """
        check_name("side", side, get_args(Side))
        count, total = whole_number("count", count, 1), len(self.singular_values)
        if not 0 <= whole_number("index", index) < total:
            raise IndexError(
                f"The 'index' must be from 0 to {total - 1}. Got {index} instead."
            )
        width = model.architecture.d_model
        if len(self.left) != width:
            raise ValueError(
                f"The 'model' must have rows of {len(self.left)} numbers, as the "
                f"circuit has. Got {width} instead."
            )
        vectors = self.left_vectors if side == "left" else self.right_vectors
        vector = vectors[:, index : index + 1]  # (d_model, 1)
        is_written = self.kind == "OV" and side == "right"
        blocks = (unembedded if is_written else embedded)(model, vector)
        values = np.concatenate(list(blocks))[:, 0]  # (n_tokens,)
        ids = np.argsort(-np.abs(values), kind="stable")[:count].tolist()
        tokens = model.readable(model.names(ids))
        return [
            TokenProjection(id, token, float(values[id]))
            for id, token in zip(ids, tokens, strict=True)
        ]

    @cached_property
    def _decomposed(self) -> tuple[Array, Array, Array]:
        """The singular value decomposition, by that of a small matrix."""
        with one_blas_thread():
            left, inner = np.linalg.qr(self.left)  # (d_model, r), (r, d_head)
            right, outer = np.linalg.qr(self.right)
            u, values, vh = np.linalg.svd(inner @ outer.T)  # (r, r), (r,), (r, r)
            return left @ u, values, right @ vh.T

    @property
    def _called(self) -> str:
        at = "" if self.distance is None else f" at distance {self.distance}"
        return f"{self.kind} circuit of L{self.layer} H{self.head}{at}"

    def _repr_html_(self) -> str:
        """Return the singular values as a curve, and the largest of them as a table."""
        values = self.singular_values
        shares = values**2 / max(self.norm**2, np.finfo(np.float64).tiny)
        own = self.eigenvalues[: len(values)]
        table = table_html(
            np.column_stack([values, shares, own.real, own.imag]),
            columns=_COLUMNS,
            by_column=True,
        )
        norm = format_number(self.norm, _DECIMALS)
        return (
            f"<div><b>{escape(self._called)}</b>, ‖M‖ = {norm}"
            f"<div>{curve_svg(values)}</div>{table}</div>"
        )

    def __repr__(self) -> str:
        norm = format_number(self.norm, _DECIMALS)
        return f"<Circuit: {self._called}, ‖M‖ = {norm}>"
