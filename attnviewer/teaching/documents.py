"""The document that a page opens, always the same for the same seed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from attnviewer.compute import Array, Shape, Spec
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.options_text import parse_options
from attnviewer.document import Document, EditError
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.io.errors import FileError
from attnviewer.io.example_file import load_example
from attnviewer.io.examples import example_path
from attnviewer.io.session import read_session
from attnviewer.teaching.drawing import number_of, whole_numbers
from attnviewer.teaching.friendly import is_friendly, untied
from attnviewer.teaching.planting import InvisibleError, with_mistake
from attnviewer.teaching.ranking import Ranking

ATTEMPTS = 500
"""How often numbers are drawn until they are fit to be computed by hand."""
MOST_TOKENS = 512
"""The most tokens of a document of a lesson."""
PROJECTIONS = "W_Q", "W_K", "W_V"
GIVEN = "Q", "K", "V"
BIASES = "b_Q", "b_K", "b_V", "b_O"
MATRICES = ("X", "context", *PROJECTIONS, "W_O", *BIASES, *GIVEN, MASK, BIAS)
"""The matrices that a block can give or draw."""
_OF_TOKENS = {"X", "context", *GIVEN}


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """The content of a `document` block of a lesson.

    Parameters
    ----------
    example : str
        The id of a bundled example; "" for none.
    file : str
        A session beside the lesson; "" for none.
    tokens, context_tokens : tuple of str
        The tokens, where the block has numbers of its own.
    options : str
        The variant, see `parse_options`.
    matrices : mapping of str to tuple of tuple of float
        Matrices that are written out, row by row.
    draw : tuple of str
        Matrices that are drawn.
    numbers : tuple of two int, or None
        The smallest and the largest number to draw; None draws from 0 to 2 for tokens
        and from −1 to 2 for weights.
    width, d_k, d_v : int or None
        Columns of X, and of the keys and the values of a head. By default 3, and
        `width` shared among the heads.
    seed : int or None
        Always this one; None takes that of `open`.
    mistakes : tuple of str
        Mistakes of which the seed chooses one that the document computes with.
    rankings : tuple of Ranking
        What must have no ties in drawn numbers, as tasks ask for it.
    line : int
        The line of the lesson's text where the block begins.
    """

    example: str = ""
    file: str = ""
    tokens: tuple[str, ...] = ()
    context_tokens: tuple[str, ...] = ()
    options: str = ""
    matrices: Mapping[str, tuple[tuple[float, ...], ...]] | None = None
    draw: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    width: int = 3
    d_k: int | None = None
    d_v: int | None = None
    seed: int | None = None
    mistakes: tuple[str, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    line: int = 0

    @property
    def varies(self) -> bool:
        """Whether other seeds give other documents."""
        return self.seed is None and bool(self.draw or len(self.mistakes) > 1)

    def open(self, seed: int = 0, folder: Path | None = None) -> Document:
        """Return the document, a new one each time.

        Parameters
        ----------
        seed : int
            What drawn numbers follow from, unless the block has a seed of its own.
        folder : Path, optional
            Where the file lies that the block names.

        Raises
        ------
        FileError
            If the example or the file cannot be read.
        ValueError
            If the parts do not fit each other, the mistake cannot be made, or no
            numbers without ties were found.
        """
        number = seed if self.seed is None else self.seed
        if not self.draw:
            return self._mistaken(self._given(folder), number)
        for attempt in range(ATTEMPTS):
            drawn = self._built(f"{number}/{attempt}")
            if not is_friendly(drawn):
                continue
            try:
                document = self._mistaken(drawn, number)
            except InvisibleError:
                continue
            if untied(document, self.rankings):
                return document
        raise ValueError(
            f"The numbers to draw must give rows without ties. Got {ATTEMPTS} draws "
            "with ties instead; a larger 'width' or a wider range may help."
        )

    def _given(self, folder: Path | None) -> Document:
        if self.example:
            return load_example(example_path(self.example))
        if not self.file:
            return self._built("")
        if folder is None:
            raise FileError(self.file, "There is no folder that it could lie in.")
        document = read_session(folder / self.file)
        if max(map(len, document.labels)) > MOST_TOKENS:
            raise FileError(
                folder / self.file,
                f"A document of a lesson must have at most {MOST_TOKENS} tokens.",
            )
        return document

    def _built(self, key: str) -> Document:
        intention = _intention(self.options)
        given: dict[str, Array] = {
            name: np.array(rows, dtype=np.float64)
            for name, rows in (self.matrices or {}).items()
        }
        heads = intention.n_heads or 1, intention.n_kv_heads or intention.n_heads or 1
        shapes = self._shapes(given, *heads)
        for name in self.draw:
            least, most = self.numbers or ((0, 2) if name in _OF_TOKENS else (-1, 2))
            given[name] = whole_numbers(f"{key}/{name}", shapes[name], least, most)
        if MASK in given:
            given[MASK] = given[MASK].astype(np.bool_)
        try:
            spec = _spec(intention, given, bool(self.context_tokens))
            return Document(
                "Lesson",
                self.tokens,
                given,
                spec,
                context_tokens=self.context_tokens,
            )
        except (EditError, TypeError) as error:
            raise ValueError(str(error)) from None

    def _shapes(
        self, given: Mapping[str, Array], heads: int, kv_heads: int
    ) -> dict[str, Shape]:
        """Return the shapes of matrices that are drawn."""
        n, n_keys = len(self.tokens), len(self.context_tokens or self.tokens)
        width = given["X"].shape[-1] if "X" in given else self.width
        d_k = self.d_k or max(width // heads, 1)
        d_v = self.d_v or max(width // heads, 1)
        keys = given["context"].shape[-1] if "context" in given else width
        columns = {"Q": heads * d_k, "K": kv_heads * d_k, "V": kv_heads * d_v}
        shapes: dict[str, Shape] = {
            "X": (n, width),
            "context": (n_keys, width),
            "Q": (n, columns["Q"]),
            "K": (n_keys, columns["K"]),
            "V": (n_keys, columns["V"]),
            "W_Q": (width, columns["Q"]),
            "W_K": (keys if self.context_tokens else width, columns["K"]),
            "W_V": (keys if self.context_tokens else width, columns["V"]),
            "W_O": (heads * d_v, width),
            "b_O": (1, width),
            MASK: (n, n_keys),
            BIAS: (n, n_keys),
        }
        return shapes | {f"b_{name}": (1, columns[name]) for name in GIVEN}

    def _mistaken(self, document: Document, seed: int) -> Document:
        """Return the document with the mistake that the seed chooses."""
        if not self.mistakes:
            return document
        place = number_of(f"{seed}/mistake", 0, len(self.mistakes) - 1)
        return with_mistake(document, self.mistakes[place])


@lru_cache
def _intention(options: str) -> Intention:
    """Return what a text of options says; hundreds of draws ask for the same."""
    return Intention.of(parse_options(options))


def _spec(intention: Intention, given: Mapping[str, Array], context: bool) -> Spec:
    projected, separate = "W_Q" in given, "Q" in given
    options = replace(intention.options, mask=given.get(MASK), bias=given.get(BIAS))
    heads = intention.n_heads or 1
    wanted = intention.output_projection
    return options.spec(
        (),
        projected=projected,
        given=separate,
        context=context,
        n_heads=heads,
        n_kv_heads=intention.n_kv_heads,
        heads_joined=separate and heads > 1,
        biases=tuple(name for name in BIASES if name in given),
        output_projection="W_O" in given if wanted is None else wanted,
        positions=intention.positions,
    )
