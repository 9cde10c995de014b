"""Models from checkpoints."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import any_array, whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.io import FileFormatError
from attnviewer.io.strict_json import SchemaError, shortened
from attnviewer.models.architecture import Architecture, Kind
from attnviewer.models.checkpoint import Checkpoint, open_checkpoint
from attnviewer.models.encoded_picture import encoded_picture
from attnviewer.models.families import FAMILIES
from attnviewer.models.families.clip import PARTS, read_clip
from attnviewer.models.gguf import open_gguf
from attnviewer.models.layers import ACTIVATIONS
from attnviewer.models.layout import find_gguf
from attnviewer.models.pooling import Pooling, read_pooling
from attnviewer.models.preprocessor_config import read_preprocessing
from attnviewer.models.tokenizing import Encoded, Tokenizer
from attnviewer.models.trace import ModelTrace
from attnviewer.models.vision import Preprocessing
from attnviewer.models.vision.reading import is_picture
from attnviewer.models.weights import Weights

SHOWN = 3
"""How many tensors of an unsupported checkpoint a message lists."""


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
    part : str
        Which of the models of a checkpoint with several; "" of one alone.

    Attributes
    ----------
    kind : str
        ``encoder`` if it embeds sentences, ``decoder`` if it predicts tokens.
    other : Model or None
        The other part of a checkpoint with two: CLIP's tower that reads pictures,
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
        part: str = "",
    ) -> None:
        self.architecture = architecture
        # Not a property: completion in Jupyter fails on one that returns a Literal.
        self.kind: Kind = architecture.kind
        self.tokenizer = tokenizer
        self.pooling = pooling
        self.preprocessing = preprocessing
        self.part = part
        self.other: Model | None = None
        self.weights = Weights(checkpoint, architecture)
        self._checkpoint = checkpoint

    @property
    def name(self) -> str:
        """The model's name, taken from its folder."""
        return f"{self._checkpoint.name} {self.part}".rstrip()

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
        """Contradictions between its files, a sentence for each setting."""
        return () if self.tokenizer is None else self.tokenizer.notices

    @property
    def n_layers(self) -> int:
        """How many layers it has."""
        return self.architecture.n_layers

    @property
    def n_heads(self) -> int:
        """How many heads of queries each layer has."""
        return self.architecture.n_heads

    @property
    def most_tokens(self) -> int | None:
        """The number of learned positions; None where positions are computed."""
        return self.architecture.n_positions

    @short_signature
    def run(self, text_or_ids: str | Sequence[str] | ArrayLike) -> ModelTrace:
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

        Raises
        ------
        ValueError
            If it is empty or too long, or a token or an id is unknown; if the shape of
            a picture does not fit.
        TypeError
            If it is something else.
        """
        if self.other is not None and self.reads_pictures != is_picture(text_or_ids):
            return self.other.run(text_or_ids)
        reads = self.architecture.picture
        if reads is not None:
            seen = encoded_picture(text_or_ids, reads, self.preprocessing, self.name)
            return ModelTrace(self, seen)
        encoded = self._checked(self._encoded(text_or_ids))
        if isinstance(text_or_ids, str):
            encoded = encoded._replace(text=text_or_ids)
        return ModelTrace(self, encoded)

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
            raise ValueError(f"{self.name} reads pictures and knows no tokens.")
        if not 0 <= (number := whole_number("token", id)) < count:
            raise ValueError(
                f"The id of the 'token' must be from 0 to {count - 1}. "
                f"Got {number} instead."
            )
        return number

    def __reduce__(self) -> tuple[object, ...]:
        return _opened_again, (self.source, self.fingerprint, self.part)

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

    def _encoded(self, given: str | Sequence[str] | ArrayLike) -> Encoded:
        if isinstance(given, str):
            return self._tokenizer().encode(given)
        if isinstance(given, np.ndarray) and given.dtype.kind == "U":
            given = given.tolist()
        if isinstance(given, Sequence) and any(isinstance(t, str) for t in given):
            for token in given:
                if not isinstance(token, str):
                    raise TypeError(
                        "The sentence must be given by tokens or by ids, not both. "
                        f"Got {shortened(repr(token))} instead."
                    )
            return self._looked_up([str(token) for token in given])
        numbers = any_array("sentence", given)
        if numbers.ndim == 2 and len(numbers) == 1:  # a batch of one
            numbers = numbers[0]
        if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
            raise TypeError(
                "The sentence must be a text, a list of tokens, or ids of shape (n,). "
                f"Got {numbers.dtype} of shape {numbers.shape} instead. Several "
                "sentences are run one by one."
            )
        ids = tuple(numbers.tolist())
        return Encoded(ids, self.names(ids))

    def _looked_up(self, tokens: list[str]) -> Encoded:
        try:
            return self._tokenizer().look_up(tokens)
        except ValueError:
            if not any(" " in token.strip() for token in tokens):
                raise
            raise ValueError(
                "The sentence must be one text, or one list of its tokens. Got a list "
                f"of {len(tokens)} texts instead: run them one by one, as in "
                "[model.run(text) for text in texts]."
            ) from None

    def _tokenizer(self) -> Tokenizer:
        if self.tokenizer is None:
            raise ValueError(
                f"The sentence must be given by the ids of its tokens, as {self.name} "
                "has no tokenizer. Got text instead."
            )
        return self.tokenizer

    def _checked(self, encoded: Encoded) -> Encoded:
        count, rows = len(encoded.ids), self.architecture.n_tokens
        if not count:
            raise ValueError(
                "The sentence must have at least one token. Got none instead."
            )
        if self.most_tokens is not None and count > self.most_tokens:
            raise ValueError(
                f"The sentence must have at most {self.most_tokens} tokens, as many as "
                f"{self.name} has places for. Got {count} instead."
            )
        for id, token in zip(encoded.ids, encoded.tokens, strict=True):
            if not 0 <= id < rows:
                raise ValueError(
                    f"The ids must be from 0 to {rows - 1}, as {self.name} has "
                    f"embeddings of {rows} tokens. Got {id} for '{token}' instead."
                )
        return encoded


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
    parts = PARTS if checkpoint.config.get("model_type") == "clip" else ("",)
    first, *others = (_part(checkpoint, part) for part in parts)
    for other in others:
        first.other, other.other = other, first
    return first


def _part(checkpoint: Checkpoint, part: str) -> Model:
    """Return a part of a checkpoint; the only one is named ""."""
    architecture = _architecture(checkpoint, part)
    folder, pooling, reads = checkpoint.path, None, architecture.picture is not None
    if architecture.kind == "encoder":
        usual = Pooling(
            architecture.pooled == "first",
            ends=architecture.pooled == "end",
            end_token=architecture.end_token,
        )
        pooling = read_pooling(folder, usual)
    return Model(
        checkpoint,
        architecture,
        None if reads else checkpoint.tokenizer(),
        pooling,
        read_preprocessing(folder, architecture.processor) if reads else None,
        part,
    )


def _opened_again(path: Path, fingerprint: str, part: str = "") -> Model:
    """Reopen the model of a pickle."""
    model = load(path)
    if model.part != part and model.other is not None:
        model = model.other
    if model.fingerprint != fingerprint:
        raise FileFormatError(
            path,
            "The model was pickled, and its files have changed since. Load it again "
            "with models.load.",
        )
    return model


def _architecture(checkpoint: Checkpoint, part: str = "") -> Architecture:
    config_path = checkpoint.described_by
    found = checkpoint.config.get("model_type")
    read = FAMILIES.get(found) if isinstance(found, str) else None
    if read is None:
        some = ", ".join(shortened(name) for name in list(checkpoint.names)[:SHOWN])
        raise FileFormatError(
            config_path,
            f"The model type must be one of {', '.join(FAMILIES)}. "
            f"Got {shortened(repr(found))} instead, with {len(checkpoint.names)} "
            f"tensors such as {some}. Its Q, K and V, or X and its weights, can be "
            "brought by hand: import the safetensors file, or an .npz of them, and say "
            "which is what.",
            "$.model_type",
        )
    try:
        config = checkpoint.config
        architecture = read_clip(config, part) if part else read(config)
        if architecture.activation not in ACTIVATIONS:
            raise SchemaError(
                f"The activation must be one of {', '.join(ACTIVATIONS)}. "
                f"Got '{shortened(architecture.activation)}' instead."
            )
    except SchemaError as error:
        raise FileFormatError(config_path, str(error), error.location) from None
    except ValueError as error:
        raise FileFormatError(config_path, str(error)) from None
    return checkpoint.adapted(architecture)
