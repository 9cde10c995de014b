"""Sources of commands, with notes on how they were read."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note
from attnviewer.sources import CONFIG, as_model

if TYPE_CHECKING:
    from attnviewer.document import Document

_TABLES = ".csv", ".tsv"


def load_noting(
    source: str,
    assign: str | None = None,
    layer: int | None = None,
) -> "Document":
    """Return a document, and print notes on how a file of numbers was read.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    assign : str, optional
        The roles of a file's arrays.
    layer : int, optional
        The layer of a recording; the first by default.

    Raises
    ------
    RefusedError
        If it is a model, or a folder, or a layer is asked for of what has none.
    FileError
        If it cannot be read; see `load`.
    """
    from attnviewer.io import load
    from attnviewer.io.npz_kinds import is_of_recording

    of_models = (
        "The command that tells what its heads look at is 'attnviewer model "
        f"{source} --heads'; with --layer N --export layer.npz it writes a layer, "
        "which can be read here."
    )
    refuse_model(source, assign, of_models)

    def tell(notice: str) -> None:
        note(f"{source}: {notice}")

    path = Path(source)
    if assign is None and is_of_recording(path):
        from attnviewer.recording import load_recording
        from attnviewer.recording.layer_document import layer_document

        recorded = load_recording(path)
        document = layer_document(recorded, path, layer or 0)
        if layer is None and len(recorded.layers) > 1:
            tell(
                f"It is a recording of {len(recorded.layers)} layers, of which the "
                "first is taken (see --layer)."
            )
        return document
    if layer is not None:
        raise RefusedError(
            "argument --layer: only recordings have layers here. Those of a model are "
            "exported by 'attnviewer model PATH --layer N'."
        )
    return load(source, assign, tell=tell)


def refuse_model(source: str, assign: str | None, hint: str) -> None:
    """Refuse a model, or a folder.

    Parameters
    ----------
    source, assign
        As of `load_noting`.
    hint : str
        The sentence on the command for models.
    """
    if not source or as_model(source, assign) is None:
        return
    if _holds_tables(Path(source)):
        raise RefusedError(
            f"{source}: It is a folder of tables. Of its files one is read "
            "here; the window's import, Ctrl+Shift+O, takes several at once."
        )
    raise RefusedError(f"{source}: It is a model, or a folder. {hint}")


def _holds_tables(path: Path) -> bool:
    """Return whether a path is a folder of tables, as exports are, without a model."""
    try:
        names = {entry.name for entry in path.iterdir()}
    except OSError:  # no folder, or an unreadable one
        return False
    return CONFIG not in names and any(name.endswith(_TABLES) for name in names)
