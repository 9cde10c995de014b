"""The model that a window starts with."""

from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.io import FileError
from attnviewer.sources import ModelSource
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import ModelTrace


class ModelOpening:
    """Computes a model up to the layer that is shown; the `Origin` of its document.

    Parameters
    ----------
    source : ModelSource
        The model.
    run : ModelTrace, optional
        An existing run, with its changes.

    Attributes
    ----------
    source : ModelSource
        The model.
    job : LayerJob or None
        The result of `read`.
    """

    def __init__(self, source: ModelSource, run: "ModelTrace | None" = None) -> None:
        self.source = source
        self._run = run
        self.job: LayerJob | None = None

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
            If the checkpoint cannot be read, there is no such layer or head, or the
            text is refused.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models.experiment import Experiment
        from attnviewer.models.head_slice import HeadSlice
        from attnviewer.models.layer_documents import is_whole
        from attnviewer.models.sentences import opening_notices

        source = self.source
        try:
            run, text = self._found()
            HeadSlice.of(run, source.head)
            # Of a layer that is too large to be opened, one head is shown.
            location = ModelLocation(
                source.layer, None if is_whole(run) else source.head
            )
            # The head that is shown where none is asked for.
            first = self._run is None and (source.layer, source.head) == (0, 0)
            request = ModelRequest(Experiment.of(run), location, seeks=first)
            job = LayerJob(request)
            job.text = text
            given = source.given if self._run is None else run.ids
            job.notices = opening_notices(run.model, given)
            self.job = job
            job.run()
        except (ValueError, IndexError, TypeError) as error:
            raise FileError(source.path, str(error)) from error
        assert job.document is not None
        return job.document

    def _found(self) -> "tuple[ModelTrace, str]":
        """Return the run, and its text as a user would type it."""
        from attnviewer.models.sentences import text_of

        if self._run is not None:
            return self._run, text_of(self._run)
        from attnviewer.models import load
        from attnviewer.models.locating import part_of_run
        from attnviewer.ui.state.model.picture_files import run_over_given

        source = self.source
        run, text = run_over_given(load(source.path), source.given)
        part = part_of_run(run, source.part)
        return part, text if part is run else text_of(part)

    def stop(self) -> None:
        """Cancel before the next layer."""
        if self.job is not None:
            self.job.stopped = True
