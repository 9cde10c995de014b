"""Headings of the rows and columns of a matrix, and their heads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document import Document
from attnviewer.document.position_ids import POSITION_IDS
from attnviewer.document.rearranging import tokens_of
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.inputs.tokens.edits import sequence_at

_tr = translate_in("Headings")

TOKEN_CHARACTERS = 9
"""Room for a token."""

_QUERY_HEADS = {
    *("W_Q", "b_Q", "gain_Q", "shift_Q", "W_G", "sinks", "relative_bias"),
}
_KEY_HEADS = {
    *("W_K", "W_V", "b_K", "b_V", "gain_K", "shift_K"),
    *("extra_keys", "extra_values"),
}


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings along one side of a matrix.

    Parameters
    ----------
    count : int
        The number of rows or columns.
    tokens : tuple of str
        The tokens that they stand for; none for features.
    heads : int
        The number of heads that share them equally.
    """

    count: int
    tokens: tuple[str, ...] = ()
    heads: int = 1

    @property
    def names(self) -> Sequence[object]:
        """The identity of each line: its token, or else its index."""
        return self.tokens or range(self.count)

    @property
    def per_head(self) -> int:
        """Lines per head."""
        return self.count // self.heads

    @property
    def characters(self) -> int:
        """Characters of the longest heading, bounded for tokens."""
        return TOKEN_CHARACTERS if self.tokens else len(self.label(self.count - 1))

    def label(self, index: int) -> str:
        """Return a heading: a token, ``H1·0`` with several heads, or the index."""
        if index < len(self.tokens):
            return self.tokens[index]
        if self.heads == 1:
            return str(index)
        head, dimension = divmod(index, self.per_head)
        return f"H{head}·{dimension}"

    def name(self, index: int, shorten: Callable[[str], str] = str) -> str:
        """Return the index part of a cell's name: a token, or else the index.

        Parameters
        ----------
        index : int
            The line's index.
        shorten : callable
            Shortens a token for display.
        """
        if index < len(self.tokens):
            return shorten(self.tokens[index])
        return str(index)

    def tip(self, index: int) -> str:
        """Return the heading in words."""
        if index < len(self.tokens):
            text = _tr("{place}: {token}").format(place=index, token=self.tokens[index])
        elif self.heads == 1:
            text = _tr("dimension {place}").format(place=index)
        else:
            head, dimension = divmod(index, self.per_head)
            text = _tr("{place}: head {head}, dimension {dimension}").format(
                place=index, head=head, dimension=dimension
            )
        return text

    def boundaries(self) -> range:
        """Return the indices at which the next head begins."""
        return range(self.per_head, self.count, self.per_head)


def headings_of(document: Document, name: str) -> tuple[Headings, Headings]:
    """Return the headings of a matrix's rows and columns."""
    rows, columns = document.matrix(name).shape
    spec, labels = document.spec, document.labels
    if name in ("bias", "mask"):
        return Headings(rows, labels.queries), Headings(columns, labels.keys)
    if name == POSITION_IDS:
        # Unused, it may have rows for other tokens.
        own = labels.keys if rows == len(labels.keys) else ()
        return Headings(rows, own), Headings(columns)
    sequence = sequence_at(document, name)
    tokens = () if sequence is None else tokens_of(document, sequence)
    heads_down = spec.n_heads if name == "W_O" else 1
    return (
        Headings(rows, tokens, _dividing(rows, heads_down)),
        Headings(columns, (), _dividing(columns, _heads_across(document, name))),
    )


def _heads_across(document: Document, name: str) -> int:
    spec, columns = document.spec, document.matrix(name).shape[1]
    if name in QK_NORM_INPUTS:
        source = document.matrices.get(f"W_{name[-1]}", document.matrices.get(name[-1]))
        if source is not None and source.shape[1] != columns:
            return 1  # the same for all heads
    if name in _QUERY_HEADS:
        return spec.n_heads
    return spec.kv_heads if name in _KEY_HEADS else 1


def _dividing(count: int, heads: int) -> int:
    # A matrix that the spec does not use may have any shape.
    return heads if count % heads == 0 else 1
