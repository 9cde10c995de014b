"""A model that a window begins with."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.io import FileError
from attnviewer.sources import ModelSource
from attnviewer.ui.models.jobs import LookInto, Place, Wish

# Models are imported where one is read: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document


class ModelOpening:
    """Computes a model up to the layer that is looked at; an `Origin` of its document.

    Parameters
    ----------
    source : ModelSource
        The model.

    Attributes
    ----------
    source : ModelSource
        The model.
    look : LookInto or None
        What `read` has computed.
    """

    def __init__(self, source: ModelSource) -> None:
        self.source = source
        self.look: LookInto | None = None

    @property
    def path(self) -> Path:
        """Its folder, or a file of it."""
        return self.source.path

    @property
    def paths(self) -> tuple[Path, ...]:
        """The same alone."""
        return (self.path,)

    def read(self) -> "Document":
        """Return the attention of the layer.

        Raises
        ------
        FileError
            If the checkpoint cannot be read, there is no such layer or head, or what
            it is to run over is refused.
        Stopped
            If it was given up.
        """
        from attnviewer.models import load
        from attnviewer.models.documents import is_whole
        from attnviewer.models.experiment import Experiment
        from attnviewer.models.head_part import HeadPart
        from attnviewer.models.sentences import opening_notices, run_given

        source = self.source
        model = load(source.path)
        try:
            run, text = run_given(model, source.given)
            HeadPart.of(run, source.head)
            # A layer that is too large to be opened shows its head alone.
            place = Place(source.layer, None if is_whole(run) else source.head)
            look = LookInto(Wish(Experiment.over(run), place))
            look.text = text
            look.notices = opening_notices(model, source.given)
            self.look = look
            look.run()
        except (ValueError, IndexError) as error:
            raise FileError(source.path, str(error)) from error
        assert look.document is not None
        return look.document

    def stop(self) -> None:
        """Give it up before its next layer."""
        if self.look is not None:
            self.look.stopped = True
