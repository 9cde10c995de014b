"""The run of a model that a command is about."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note
from attnviewer.cli.window import window_system
from attnviewer.sources import Given, is_of_picture

if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace


def opened_run(
    path: Path,
    given: Given | None,
    layer: int | None = None,
    head: int | None = None,
    part: str | None = None,
) -> "tuple[ModelTrace, str]":
    """Return a run of a model, and its input as it would be typed.

    Parameters
    ----------
    path : Path
        The model's folder, or a file of it.
    given : str, tuple of str or tuple of int, optional
        Its input; by default the example sentence.
    layer, head : int, optional
        Which layer and head there have to be, counted from zero.
    part : str, optional
        The part of an encoder–decoder, one of `attnviewer.sources.PARTS`.

    Raises
    ------
    RefusedError
        If the input is refused, or there is no such part, layer or head.
    FileError
        If the model's files cannot be read.
    """
    from attnviewer.models import load
    from attnviewer.models.head_slice import HeadSlice
    from attnviewer.models.locating import part_of_run

    model = load(path)
    for notice in model.notices:
        note(notice)
    try:
        run, typed = _over(model, given)
        run = part_of_run(run, part)
        if layer is not None:
            run.spec(layer)
        if head is not None:
            HeadSlice.of(run, head)
    except (ValueError, IndexError, TypeError) as error:
        unread = isinstance(given, str) and model.tokenizer is None
        by_ids = unread and not model.reads_pictures
        hint = " Ids are given by --ids, as in --ids 1,2,3." if by_ids else ""
        raise RefusedError(f"{path}: {error}{hint}") from None
    return run, typed


def _over(model: "Model", given: Given | None) -> "tuple[ModelTrace, str]":
    only_pictures = model.reads_pictures and model.other is None
    if isinstance(given, str) and (only_pictures or is_of_picture(Path(given))):
        with window_system():  # pictures are decoded by Qt
            from attnviewer.ui.state.model.picture_files import run_over_given

        return run_over_given(model, given)
    from attnviewer.models.sentences import run_given

    return run_given(model, given)
