"""The parts of an encoder–decoder: encoder, decoder, and its cross-attention."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from attnviewer.compute import Spec
from attnviewer.models.architecture import Architecture

PartName: TypeAlias = Literal["encoder", "decoder", "cross"]
"""The part of a model whose attention is meant; most models have one part only."""


def with_cross_attention(
    decoder: Architecture, encoder: Architecture, names: Mapping[str, str], spec: Spec
) -> Architecture:
    """Return the architecture of an encoder–decoder, which is that of its decoder.

    Parameters
    ----------
    decoder : Architecture
        The decoder without cross-attention.
    encoder : Architecture
        The encoder.
    names : mapping of str to str
        The tensors of the cross-attention and of the norms around it, by the names that
        those of the self-attention have.
    spec : Spec
        The cross-attention of every layer.
    """
    own = {
        part: name
        for part, name in decoder.names.items()
        if part in names or part == "relative_bias"
    }
    others = {part: n for part, n in decoder.names.items() if part not in own}
    # Each part checks its own tensors, and leaves those of the other to that.
    cross = replace(
        decoder,
        encoder=encoder,
        attention=(spec,) * decoder.n_layers,
        names={**others, **names},
        unused=(*decoder.unused, *_suffixes(own)),
    )
    return replace(
        decoder,
        encoder=encoder,
        cross=cross,
        unused=(*decoder.unused, *_suffixes(names)),
    )


def _suffixes(names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name.rpartition("{}")[2] for name in names.values())


def own_part(architecture: Architecture) -> PartName:
    """Return which part the attention of an architecture is."""
    return "cross" if architecture.attention[0].context else architecture.kind


def check_one_stack(architecture: Architecture, what: str) -> None:
    """Check that a model has one stack of layers, which runs over one sequence.

    Parameters
    ----------
    architecture : Architecture
        The model's architecture.
    what : str
        What the model is to be, for the message.

    Raises
    ------
    ValueError
        If it has an encoder and a decoder.
    """
    if architecture.encoder is not None:
        raise ValueError(
            f"The {what} must run over one sequence, as model.part('encoder') does. "
            f"Got the part '{own_part(architecture)}' of {architecture.family} instead."
        )


def check_alone(architecture: Architecture, what: str) -> None:
    """Check that a model is not the decoder of an encoder–decoder.

    Parameters
    ----------
    architecture : Architecture
        The model's architecture.
    what : str
        What the run is to be, for the message.

    Raises
    ------
    ValueError
        If it is.
    """
    if architecture.encoder is not None:
        raise ValueError(
            f"The {what} must be of an encoder, or of a decoder without "
            f"cross-attention. Got the part '{own_part(architecture)}' of "
            f"{architecture.family} instead."
        )
