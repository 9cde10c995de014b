"""Reconnecting saved documents with the model they are from."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from attnviewer.io import FileError
from attnviewer.one_line import one_line
from attnviewer.ui.state.model.jobs import LayerJob, Phase
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import Model, ModelTrace
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.layer_documents import Link

LONGEST_PATH = 120
"""The most characters of a path in a message; longer ones are elided in the middle."""


class Reconnect(LayerJob):
    """Finds the model that a saved document is from, as a job for a worker.

    Attributes
    ----------
    differs : bool
        Whether it was refused because the checkpoint differs.
    """

    def __init__(
        self, source: "Path | Experiment", document: "Document", *, anyway: bool
    ) -> None:
        known = document.checkpoint
        assert known is not None
        super().__init__(
            ModelRequest(source, ModelLocation(known.layer, known.head), stays=True)
        )
        self.target, self.known, self.anyway = document, known, anyway
        self.differs = False
        self._link: Link | None = None

    def run(self) -> None:
        from attnviewer.models.layer_documents import link_to

        super().run()
        assert self.experiment is not None
        known = self.known
        self._link = link_to(self.experiment.run, known.layer, known.head)

    def connect(self) -> None:
        """Register the document as the model's; call it in the GUI thread."""
        assert self._link is not None
        self.target.link = self._link
        model = self._link.run.model
        self.target.checkpoint = replace(
            self.known, path=str(model.source), fingerprint=model.fingerprint
        )

    def _experiment(self) -> "Experiment":
        from attnviewer.models import load
        from attnviewer.models.experiment import Experiment

        source = self.request.source
        if not isinstance(source, Path):
            same = self._is_known(source.run)
            return source if same else source.with_run(self._run(source.run.model))
        model = load(source)
        if model.fingerprint != self.known.fingerprint and not self.anyway:
            self.differs = True
            raise ValueError(
                QCoreApplication.translate(
                    "Reconnect",
                    "The model in {path} is not the one that this document was saved "
                    "from: its configuration or its weights differ.",
                ).format(path=shown_path(source))
            )
        self.notices = model.notices
        return Experiment.over(self._run(model))

    def _run(self, model: "Model") -> "ModelTrace":
        """Return the run over the sentence of the document."""
        from attnviewer.models.locating import part_model, run_at
        from attnviewer.models.sentences import BETWEEN
        from attnviewer.ui.state.model.picture_files import run_over_typed

        text, known = self.known.text, self.known
        model = part_model(model, known.part)
        self.phase = Phase.READING
        if text:
            try:
                run = run_over_typed(model, text)
            except (ValueError, FileError):  # such as a missing library
                run = None
            if run is not None and self._is_known(run):
                self.text = text
                return run
        if model.reads_pictures or self.target.grid is not None:
            if not text:
                raise ValueError(
                    QCoreApplication.translate(
                        "Reconnect",
                        "The image over which the model ran is not known: it was "
                        "given as an array, not as a file.",
                    )
                )
            raise ValueError(
                QCoreApplication.translate(
                    "Reconnect",
                    "The image {path}, over which the model ran, is not there any "
                    "more or has changed.",
                ).format(path=shown_path(text))
            )
        run = run_at(model, known)
        sequences = (known.encoder_ids, known.ids) if run.beside else (known.ids,)
        self.text = f" {BETWEEN} ".join(" ".join(map(str, ids)) for ids in sequences)
        return run

    def _is_known(self, run: "ModelTrace") -> bool:
        """Return whether a run is of the same part and sentence as the document."""
        from attnviewer.models.locating import located

        here, known = located(run, 0, None), self.known
        return (here.ids, here.encoder_ids, here.part) == (
            known.ids,
            known.encoder_ids,
            known.part,
        )


def shown_path(path: str | Path) -> str:
    """Return a path short enough for a message, with its host if it has one."""
    text = one_line(path)
    if len(text) <= LONGEST_PATH:
        return text
    half = LONGEST_PATH // 2
    return f"{text[:half]}…{text[1 - half :]}"
