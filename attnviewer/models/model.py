"""Models from checkpoints."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from numpy.typing import ArrayLike

from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.io import FileFormatError
from attnviewer.models.architecture import Architecture, Kind
from attnviewer.models.beside import Beside
from attnviewer.models.checkpoint import Checkpoint, open_checkpoint
from attnviewer.models.encoded_picture import encoded_picture
from attnviewer.models.encoded_text import (
    Sentence,
    decoder_tokens,
    encoded_text,
    shifted_tokens,
)
from attnviewer.models.families.clip import PARTS
from attnviewer.models.gguf import open_gguf
from attnviewer.models.layout import find_gguf
from attnviewer.models.parts import PartName, own_part
from attnviewer.models.pooling import Pooling, read_pooling
from attnviewer.models.preprocessor_config import read_preprocessing
from attnviewer.models.reading import read_architecture
from attnviewer.models.tokenizing import Tokenizer
from attnviewer.models.trace import ModelTrace
from attnviewer.models.vision import Preprocessing
from attnviewer.models.vision.reading import is_picture
from attnviewer.models.weights import Weights


class Model:
    """A transformer whose weights stay on disk until a layer is accessed.

    Made by `load`.

    Parameters
    ----------
    checkpoint : Checkpoint
        Its files.
    architecture : Architecture
        Its architecture.
    tokenizer : Tokenizer or None
        Splits texts; without it only ids can be given.
    pooling : Pooling or None
        How an encoder embeds sentences; None if unsupported.
    preprocessing : Preprocessing or None
        How pictures are prepared; None if no file of the checkpoint says it.
    tower : str
        The tower of a checkpoint with several (CLIP); "" of one alone.

    Attributes
    ----------
    kind : str
        ``encoder`` if it embeds sentences, ``decoder`` if it predicts tokens.
    other : Model or None
        The other tower of a checkpoint with two: CLIP's tower that reads pictures,
        where this one reads texts.

    Raises
    ------
    FileFormatError
        If a tensor is missing, or of another shape.

    Notes
    -----
    A pickle holds the path and the fingerprint of the checkpoint rather than its
    weights: loading it reopens the files, and refuses changed ones.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        architecture: Architecture,
        tokenizer: Tokenizer | None = None,
        pooling: Pooling | None = None,
        preprocessing: Preprocessing | None = None,
        tower: str = "",
    ) -> None:
        self.architecture = architecture
        # Not a property: completion in Jupyter fails on one that returns a Literal.
        self.kind: Kind = architecture.kind
        self.tokenizer = tokenizer
        self.pooling = pooling
        self.preprocessing = preprocessing
        self.tower = tower
        self.other: Model | None = None
        self.weights = Weights(checkpoint, architecture)
        self._checkpoint = checkpoint
        self._parts: dict[PartName, Model] = {own_part(architecture): self}
        if architecture.encoder is not None and architecture.cross is not None:
            encoder = Model(checkpoint, architecture.encoder, tokenizer, pooling)
            cross = Model(checkpoint, architecture.cross, tokenizer)
            self._parts = {"encoder": encoder, "decoder": self, "cross": cross}
            encoder._parts = cross._parts = self._parts

    @property
    def name(self) -> str:
        """The model's name, taken from its folder."""
        return f"{self._checkpoint.name} {self.tower}".rstrip()

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._checkpoint.path

    @property
    def source(self) -> Path:
        """The path to reopen it: its folder, or weights that have another name."""
        return self._checkpoint.source

    @property
    def fingerprint(self) -> str:
        """Identifies its checkpoint, wherever that is stored.

        Raises
        ------
        FileError
            If its files have changed since, or cannot be read.
        """
        return self._checkpoint.fingerprint

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices: contradictions of its files, and settings that are not computed."""
        notices = () if self.tokenizer is None else self.tokenizer.notices
        return (*notices, self.weights.notice) if self.weights.notice else notices

    @property
    def n_layers(self) -> int:
        """The number of layers."""
        return self.architecture.n_layers

    @property
    def n_heads(self) -> int:
        """The number of heads of queries of each layer."""
        return self.architecture.n_heads

    @property
    def most_tokens(self) -> int | None:
        """The number of learned positions; None where positions are computed."""
        return self.architecture.n_positions

    @property
    def end_tokens(self) -> frozenset[int]:
        """The ids of the tokens that end a text; none if its files name none.

        Raises
        ------
        FileError
            If a file that names them cannot be read.
        """
        return self._checkpoint.end_tokens()

    @property
    def unapplied_settings(self) -> str:
        """The settings of generation that are not applied, in one sentence.

        "" if there are none, such as a penalty of repetitions.

        Raises
        ------
        FileError
            If a file that names them cannot be read.
        """
        return self._checkpoint.unapplied_settings(self.architecture.start)

    @property
    def parts(self) -> tuple[PartName, ...]:
        """Its parts: of an encoder–decoder ``encoder``, ``decoder`` and ``cross``."""
        return tuple(self._parts)

    def part(self, name: PartName) -> "Model":
        """Return the model with the attention of one of its parts.

        Parameters
        ----------
        name : str
            The part; the only one of a model that has one part is the model itself.

        Raises
        ------
        ValueError
            If it has no such part.
        """
        check_name("part", name, self._parts)
        return self._parts[name]

    @short_signature
    def run(
        self,
        text_or_ids: str | Sequence[str] | ArrayLike,
        decoder: str | Sequence[str] | ArrayLike | None = None,
    ) -> ModelTrace:
        """Return a run of the model over a sentence. Everything is computed on access.

        Parameters
        ----------
        text_or_ids : str, sequence of str, or array_like of int, shape (n,)
            A text, for which the checkpoint must have a tokenizer; its tokens as in the
            vocabulary; or their ids. No special tokens are added to tokens and ids.
            For a model that reads pictures: pixel values, shape (channels, height,
            width), as image processors return them; or colours of uint8, shape
            (height, width, 3) or (height, width), which are prepared as the
            checkpoint's ``preprocessor_config.json`` says. CLIP takes either, and the
            run is that of the tower that reads it.
        decoder : str, sequence of str, or array_like of int, shape (m,), optional
            Of an encoder–decoder, what its decoder runs over: a text, before which the
            start token is put, and at whose end the end token is left out; or all of
            its tokens or ids. By default the start token alone, or the same sentence
            where it is to be classified.

        Returns
        -------
        ModelTrace
            The run; of an encoder–decoder, that of its decoder.

        Raises
        ------
        ValueError
            If it is empty or too long, or a token or an id is unknown; if the shape of
            a picture does not fit; or if `decoder` is given to a model without
            cross-attention.
        TypeError
            If it is something else.
        """
        if self.architecture.encoder is not None:
            return self._run_both(text_or_ids, decoder)
        if decoder is not None:
            raise ValueError(
                f"The 'decoder' must be left out, as {self.name} runs over one "
                "sequence here. Got one instead."
            )
        if self.other is not None and self.reads_pictures != is_picture(text_or_ids):
            return self.other.run(text_or_ids)
        reads = self.architecture.picture
        if reads is not None:
            seen = encoded_picture(text_or_ids, reads, self.preprocessing, self.name)
            return ModelTrace(self, seen)
        return ModelTrace(self, encoded_text(self, text_or_ids))

    def _run_both(self, given: Sentence, begun: Sentence | None) -> ModelTrace:
        """Return the run of an encoder–decoder, which is that of this part."""
        encoder, whole = self.part("encoder"), self.part("decoder")
        source = ModelTrace(encoder, encoded_text(encoder, given))
        beside = Beside(source, {}, {})
        if begun is None and whole.architecture.head is not None:
            target = shifted_tokens(whole, source.ids)
        else:
            target = decoder_tokens(whole, begun)
        run = ModelTrace(whole, target, beside=beside)
        return run.part(own_part(self.architecture))

    @property
    def reads_pictures(self) -> bool:
        """Whether it reads pictures rather than tokens."""
        return self.architecture.picture is not None

    def names(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Return the tokens of ids, ``#7`` for an unknown one."""
        known = list(ids)
        if self.tokenizer is None:
            return tuple(f"#{id}" for id in known)
        return self.tokenizer.name(known)

    def readable(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return tokens in readable form."""
        return (
            tuple(tokens) if self.tokenizer is None else self.tokenizer.readable(tokens)
        )

    def id_of(self, token: str | int) -> int:
        """Return the id of a single token.

        Parameters
        ----------
        token : str or int
            As the vocabulary spells it: ``##u``, ``Ġthe``; or a text that is one token,
            `` the``; or its id.

        Raises
        ------
        ValueError
            If there is no such id, or the text is not in the vocabulary and no single
            token: names the nearest tokens, or those it is split into.
        """
        if not isinstance(token, str):
            return self._checked_id(token)
        if self.tokenizer is None:
            raise ValueError(
                f"The 'token' must be given by its id, as {self.name} has no "
                f"tokenizer. Got {token!r} instead."
            )
        return self._checked_id(self.tokenizer.id_of(token))

    def _checked_id(self, id: int) -> int:
        count = self.architecture.n_tokens
        if not count:
            raise ValueError(f"{self.name} reads images and knows no tokens.")
        if not 0 <= (number := whole_number("token", id)) < count:
            raise ValueError(
                f"The id of the 'token' must be from 0 to {count - 1}. "
                f"Got {number} instead."
            )
        return number

    def __reduce__(self) -> tuple[object, ...]:
        part = own_part(self.architecture)
        return _opened_again, (self.source, self.fingerprint, self.tower, part)

    def __copy__(self) -> "Model":
        return self  # it is immutable

    def __deepcopy__(self, memo: object) -> "Model":
        return self

    def __repr__(self) -> str:
        architecture = self.architecture
        return (
            f"<Model {self.name}: {architecture.family}, {self.n_layers} layers of "
            f"{self.n_heads} heads, d_model {architecture.d_model}>"
        )


@short_signature
def load(path: str | Path) -> Model:
    """Open a transformer's checkpoint in the Hugging Face layout, or in GGUF.

    Its weights stay on disk, and nothing is computed yet.

    Parameters
    ----------
    path : str or Path
        A folder with ``config.json``, ``model.safetensors`` (or shards with their
        index) and usually ``tokenizer.json``; or its configuration or weights; or a
        file in GGUF, or a folder with one and no other weights.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) its family is not supported, or a
        tensor is missing or does not fit.

    Examples
    --------
    >>> from attnviewer import models
    >>> model = models.load("all-MiniLM-L6-v2")  # doctest: +SKIP
    >>> run = model.run("The animal was tired.")  # doctest: +SKIP
    >>> run.attention(3)["weights"].shape  # doctest: +SKIP
    (12, 7, 7)
    """
    gguf = find_gguf(Path(path))
    checkpoint = open_checkpoint(path) if gguf is None else open_gguf(gguf)
    towers = PARTS if checkpoint.config.get("model_type") == "clip" else ("",)
    first, *others = (_tower(checkpoint, tower) for tower in towers)
    for other in others:
        first.other, other.other = other, first
    return first


def _tower(checkpoint: Checkpoint, tower: str) -> Model:
    """Return a tower of a checkpoint; the only one is named ""."""
    architecture = read_architecture(checkpoint, tower)
    folder, pooling, reads = checkpoint.path, None, architecture.picture is not None
    embeds = architecture.encoder or architecture
    if embeds.kind == "encoder":
        usual = Pooling(
            embeds.pooled == "first",
            ends=embeds.pooled == "end",
            end_token=embeds.end_token,
        )
        pooling = read_pooling(folder, usual)
    return Model(
        checkpoint,
        architecture,
        None if reads else checkpoint.tokenizer(),
        pooling,
        read_preprocessing(folder, architecture.processor) if reads else None,
        tower,
    )


def _opened_again(path: Path, fingerprint: str, tower: str, part: PartName) -> Model:
    """Reopen the model of a pickle."""
    model = load(path)
    if model.tower != tower and model.other is not None:
        model = model.other
    if model.fingerprint != fingerprint:
        raise FileFormatError(
            path,
            "The model was pickled, and its files have changed since. Load it again "
            "with models.load.",
        )
    return model.part(part)
