"""Sources of commands, with notes on how they were read."""

from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note
from attnviewer.sources import as_model

if TYPE_CHECKING:
    from attnviewer.document import Document


def load_noting(
    source: str, assign: str | None = None, of_models: str | None = None
) -> "Document":
    """Return a document, and print notes on how a file of numbers was read.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    assign : str, optional
        The roles of a file's arrays.
    of_models : str, optional
        The sentence on the command for models, where another one than by default.

    Raises
    ------
    RefusedError
        If it is a model, or a folder.
    FileError
        If it cannot be read; see `load`.
    """
    from attnviewer.io import load

    if source and as_model(source, assign) is not None:
        hint = of_models or (
            "The command that tells what its heads look at is 'attnviewer model "
            f"{source} --heads'; with --layer N --export layer.npz it writes a layer, "
            "which can be read here."
        )
        raise RefusedError(f"{source}: It is a model, or a folder. {hint}")

    def tell(notice: str) -> None:
        note(f"{source}: {notice}")

    return load(source, assign, tell=tell)
