"""Progress messages of jobs on a model."""

from pathlib import Path

from attnviewer.one_line import one_line
from attnviewer.ui.state.model.jobs import LayerJob, Phase, PredictionJob, Work
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("OpenModel")


def progress_of(job: Work) -> str:
    """Describe what a job is doing, or will do first."""
    if isinstance(job, PredictionJob):
        return _tr("computing the next token…")
    if isinstance(job, LayerJob):
        phase, source = (
            job.phase,
            job.request.source,
        )  # read once: the worker changes it meanwhile
        if phase is Phase.OPENING and isinstance(source, Path):
            return _tr("opening “{model}”…").format(model=one_line(source.name))
        if phase is Phase.READING:
            return _tr("splitting the sentence into tokens…")
        if phase is Phase.REPLACING:
            return _tr("putting the weights in place…")
        if phase is Phase.RESTORING:
            return _tr("restoring the model's own weights…")
    return _tr("computing layer {layer}…").format(layer=job.layer)
