"""Runs over typed input."""

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.token_grid import PixelArray
from attnviewer.io import FileError
from attnviewer.models.model import Model
from attnviewer.models.tokenizing import MissingRulesError, MissingTokenizersError
from attnviewer.models.trace import ModelTrace
from attnviewer.sources import Given

FIRST = "The animal didn't cross the street because it was too tired."
"""The default sentence."""
FIRST_ANSWER = "It was too tired."
"""The text that a decoder runs over by default."""
BETWEEN = "=>"
"""Separates what an encoder runs over from what its decoder does."""
EXAMPLE_PICTURE = "example:disc"
"""The default picture, a disc before a sky."""
FIRST_IDS = 16
"""How many tokens replace it where texts cannot be split."""
_MOST_DIGITS = 18
_IDS = re.compile(r"[\[(]?\s*\d+([\s,]+\d+)*[\s,]*[\])]?")


def first_sentence(model: Model) -> str:
    """Return the default input of a model.

    These are the first ids of its vocabulary where texts cannot be split, and a drawn
    picture for a model of pictures.
    """
    if model.reads_pictures:
        return EXAMPLE_PICTURE
    if "cross" in model.parts:
        encoder, decoder = (model.part(part) for part in ("encoder", "decoder"))
        if decoder.architecture.head is not None:  # which reads the same sentence
            return _first(encoder, FIRST)
        return f"{_first(encoder, FIRST)} {BETWEEN} {_first(decoder, FIRST_ANSWER)}"
    return _first(model, FIRST)


def _first(model: Model, text: str) -> str:
    if model.tokenizer is not None and not trouble_with_words(model):
        return text
    limit = FIRST_IDS if model.most_tokens is None else model.most_tokens
    count = min(FIRST_IDS, model.architecture.n_tokens, limit)
    return " ".join(map(str, range(count)))


def trouble_with_words(model: Model) -> str:
    """Return why texts cannot be split though there is a tokenizer; "" if they can."""
    if model.tokenizer is not None:
        # The library may be missing, or the file may be another model's.
        try:
            model.run(FIRST)
        except (ValueError, FileError) as error:
            return str(error)
    return ""


def opening_notices(model: Model, given: object) -> tuple[str, ...]:
    """Return remarks on a model that was just opened.

    These are contradictory settings of its files and, unless an input was given, why
    texts cannot be split.
    """
    trouble = trouble_with_words(model) if given is None else ""
    return (*model.notices, trouble) if trouble else model.notices


def run_over(model: Model, typed: str) -> ModelTrace:
    """Return a run over typed input.

    Parameters
    ----------
    model : Model
        The model.
    typed : str
        A text. If texts cannot be split, for lack of a tokenizer or of its library:
        ids, or tokens separated by spaces. Of an encoder–decoder, what the encoder
        runs over, and after ``=>`` what the decoder does.

    Raises
    ------
    ValueError
        If it is refused; see `Model.run`.
    FileError
        If the tokenizer is unusable, unless ids were typed.
    """
    if model.reads_pictures and typed == EXAMPLE_PICTURE:
        return model.run(_example_picture(model))
    if len(model.parts) == 1:
        return _over(model.run, model, typed)
    source, _, begun = typed.partition(BETWEEN)
    encoder = model.part("encoder")
    run = _over(encoder.run, encoder, source.strip())
    if model is encoder:
        return run
    if not begun.strip():
        return model.run(run.ids)
    return _over(partial(model.run, run.ids), model.part("decoder"), begun.strip())


def text_of(run: ModelTrace) -> str:
    """Return what would be typed to run the same model over the same sentence."""
    words = run.encoded.tokens if run.model.tokenizer else run.encoded.ids
    text = run.encoded.text or " ".join(map(str, words))
    if run.beside is None:
        return text
    return f"{text_of(run.part('encoder'))} {BETWEEN} {' '.join(map(str, run.ids))}"


def _over(
    run: Callable[[str | list[str] | list[int]], ModelTrace], model: Model, typed: str
) -> ModelTrace:
    """Return what a function returns for typed input of a model."""
    are_ids = _IDS.fullmatch(typed.strip())
    try:
        return run(typed)
    except (MissingTokenizersError, MissingRulesError):
        pass
    except FileError:
        if not are_ids:
            raise
    except ValueError:
        if model.tokenizer is not None:
            raise
    if are_ids:
        return run([_id(number, model) for number in re.findall(r"\d+", typed)])
    return run(typed.split())


def _example_picture(model: Model) -> Array | PixelArray:
    """Return a bright disc low in a blue sky, as the model takes it.

    Where nothing says how pictures are prepared: pixel values from -1 to 1.
    """
    reads = model.architecture.picture
    assert reads is not None
    height, width = reads.size
    down, across = np.mgrid[:height, :width]  # each (height, width)
    down, across = (down + 0.5) / height, (across + 0.5) / width
    sky = np.stack([90 + 80 * down, 140 + 60 * down, 230 - 40 * down], axis=-1)
    inside = (across - 0.35) ** 2 + (down - 0.6) ** 2 < 0.2**2
    image = np.where(inside[..., np.newaxis], (250, 200, 60), sky).astype(np.uint8)
    if model.preprocessing is not None:
        return image
    values: Array = np.resize(image.transpose(2, 0, 1), (reads.channels, height, width))
    return values / 127.5 - 1


def _id(digits: str, model: Model) -> int:
    # Numbers too large for NumPy, or for Python's parser, are refused.
    if len(digits) > _MOST_DIGITS:
        raise ValueError(
            f"The ids must be from 0 to {model.architecture.n_tokens - 1}. "
            f"Got a number of {len(digits)} digits instead."
        )
    return int(digits)


def continued_text(prompt: ModelTrace, run: ModelTrace) -> str:
    """Return the text of a run that continues another one.

    Parameters
    ----------
    prompt : ModelTrace
        The run that is continued. The text that was typed for it stays as it is.
    run : ModelTrace
        The same with more tokens.

    Returns
    -------
    str
        The text, or that of `text_of` if texts cannot be split.
    """
    typed, tokenizer = prompt.encoded.text, run.model.tokenizer
    if tokenizer is None or run.beside is not None:
        return text_of(run)
    try:
        before, text = tokenizer.decode(prompt.ids), tokenizer.decode(run.ids)
    except (ValueError, FileError):  # such as a missing library
        return text_of(run)
    if typed and text.startswith(before):
        return typed + text.removeprefix(before)
    return text


def run_given(model: Model, given: Given | None) -> tuple[ModelTrace, str]:
    """Return a run over given input, and that input as it would be typed.

    Parameters
    ----------
    model : Model
        The model.
    given : str, tuple of str, tuple of int or None
        A text, its tokens, or their ids; None for the default sentence.

    Raises
    ------
    ValueError
        If it is refused; see `Model.run`.
    """
    if given is None:
        text = first_sentence(model)
        return run_over(model, text), text
    typed = given if isinstance(given, str) else " ".join(map(str, given))
    if isinstance(given, str) and len(model.parts) > 1:
        return run_over(model, typed), typed
    return model.run(given), typed
