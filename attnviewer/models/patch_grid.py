"""The grid that the patches of a run's picture lie on."""

from attnviewer.document.token_grid import TokenGrid
from attnviewer.models.trace import ModelTrace


def token_grid(run: ModelTrace) -> TokenGrid | None:
    """Return the grid that the patches of a picture lie on; None of a sentence."""
    picture, given = run.encoded.picture, run.model.architecture.picture
    if picture is None or given is None:
        return None
    return TokenGrid(*picture.grid, len(given.leading), picture.covered)
