"""A layer in the file of a recording, as a document."""

from pathlib import Path

from attnviewer.document import Document
from attnviewer.io.errors import FileFormatError
from attnviewer.recording.recorded_run import RecordedRun


def layer_document(
    recorded: RecordedRun,
    path: Path,
    layer: int = 0,
    item: int = 0,
    head: int | None = None,
) -> Document:
    """Return a layer as a document, whose title says which part of it is shown.

    Parameters
    ----------
    recorded : RecordedRun
        The recording.
    path : Path
        Its file.
    layer : int
        The layer, in the order of the calls.
    item : int
        The batch item.
    head : int, optional
        One head of it; by default all, or the first where a document cannot hold all.

    Raises
    ------
    FileFormatError
        If there is no such layer, or no document can hold it.
    """
    try:
        chosen = recorded.layer(layer)
        if head is None and chosen.differs_by_head:
            head = 0
        title = chosen.name or path.stem
        if head is not None:
            title += f", head {head}"
        if chosen.n_items > 1:
            title += f", item {item}"
        return recorded.document(layer, head, batch=item, title=title)
    except (ValueError, IndexError) as error:
        raise FileFormatError(path, str(error), f"layers.{layer}") from None
