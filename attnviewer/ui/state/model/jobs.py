"""Jobs for a worker: run a model up to a layer, and then the rest of it."""

from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QCoreApplication

from attnviewer.ui.state.model.request import ModelLocation, ModelRequest
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import Model, ModelTrace
    from attnviewer.models.effect import Classes, ModelEffect, NextTokens
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.heads import ModelHeads
    from attnviewer.models.layer_documents import WeightPatch
    from attnviewer.models.telling import TellingHead


class Phase(Enum):
    """The task that a `LayerJob` is doing, or will do first."""

    OPENING = auto()
    """Opening the checkpoint."""
    READING = auto()
    """Splitting a sentence into tokens."""
    REPLACING = auto()
    """Putting weights in place of the model's."""
    RESTORING = auto()
    """Giving the model its own weights again."""
    COMPUTING = auto()
    """Computing layers."""


class LayerJob:
    """Computes a model up to the layer that is shown, as a job for a worker.

    Parameters
    ----------
    request : ModelRequest
        What is to be seen.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    phase : Phase
        What it is doing, or will do first.
    layer : int
        The layer being computed, or the first one to be.
    location : ModelLocation
        The layer or head that is shown; a single head if layers are too large.
    text : str or None
        The sentence, if it has changed.
    refused_text : str or None
        The sentence that was refused.
    notices : tuple of str
        What the user should know about an opened model: contradictory settings in its
        files, and why it runs over ids instead of text.
    experiment : Experiment or None
        The runs.
    document : Document or None
        The document to open; None if the open one stays.
    compared : Document or None
        The document to compare with; None for none.
    """

    def __init__(self, request: ModelRequest) -> None:
        self.request = request
        self.stopped = False
        self.phase = _first_phase(request)
        self.layer = request.location.layer
        self.location = request.location
        self.text = request.text
        self.refused_text: str | None = None
        self.notices: tuple[str, ...] = ()
        self.experiment: Experiment | None = None
        self.document: Document | None = None
        self.compared: Document | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        FileError
            If the checkpoint cannot be read.
        ValueError
            If a text is refused, weights do not fit, or there is no such layer or head.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models.layer_documents import attention_document

        self.experiment = experiment = self._experiment()
        location = self.request.location
        if self.request.part is not None:  # which may have fewer layers and heads
            location = _nearest(location, experiment.run)
        self.location = _possible(location, experiment.run)
        layer, alone = self.location.layer, self.location.alone
        self._advance(experiment.run, layer)
        if not self.request.stays:
            constant = experiment.constant(layer, alone)
            self.document = attention_document(
                experiment.run, layer, alone, constant=constant
            )
        if experiment.compared is not None:
            self._advance(experiment.compared, layer)
            title = _compared_title(experiment)
            self.compared = attention_document(experiment.compared, layer, alone, title)

    def _experiment(self) -> "Experiment":
        from attnviewer.models import load
        from attnviewer.models.experiment import Experiment
        from attnviewer.models.sentences import first_sentence, opening_notices

        request = self.request
        if isinstance(request.source, Path):
            model = load(request.source)
            self.notices = opening_notices(model, request.text)
            self.text = request.text
            if self.text is None:
                self.text = first_sentence(model)
            experiment = Experiment.over(self._over(model, self.text))
        else:
            experiment, model = request.source, request.source.run.model
            if request.part is not None:
                check_no_patches(experiment)
                model, compared = model.part(request.part), experiment.reference
                experiment = Experiment.over(self._over(model, request.text or ""))
                experiment = experiment.against(
                    None if compared is None else compared.model
                )
            elif request.text is not None:
                run = self._over(model, request.text)
                if run.model is not model:  # the other tower of CLIP
                    return self._other_tower(run, experiment)
                experiment = experiment.with_run(run)
        if request.patches is not None:
            self.phase = _phase_of(request.patches)
            experiment = experiment.with_patches(request.patches)
        if request.other is not None:
            other = self._over(model, request.other) if request.other else None
            self.refused_text = request.other
            experiment = experiment.compared_with(other)
            self.refused_text = None
        return experiment

    def _other_tower(self, run: "ModelTrace", experiment: "Experiment") -> "Experiment":
        """Return the experiment over a run of the other part of the checkpoint."""
        from attnviewer.models.experiment import Experiment

        self.refused_text = self.request.text
        check_no_patches(experiment)
        self.refused_text = None
        layer = min(self.request.location.layer, run.model.n_layers - 1)
        self.request = replace(
            self.request, location=ModelLocation(layer), other="", patches=None, head=0
        )
        return Experiment.over(run)

    def _over(self, model: "Model", text: str) -> "ModelTrace":
        from attnviewer.ui.state.model.picture_files import run_over_typed

        self.phase = Phase.READING
        try:
            return run_over_typed(model, text)
        except ValueError:
            self.refused_text = text
            raise

    def _advance(self, run: "ModelTrace", layer: int) -> None:
        self.phase = Phase.COMPUTING
        for before in range(layer + 1):
            if self.stopped:
                raise Stopped
            self.layer = before
            run.stream(before)


class AllLayersJob:
    """Computes all layers, as a job for a worker.

    Parameters
    ----------
    experiment : Experiment
        The runs.
    heads : ModelHeads
        The heads of its run; those of some layers may be known already.
    position : int
        The position whose next token is predicted.
    seeks : bool
        Whether the most telling head is to be found.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    layer : int
        The layer being computed.
    telling : TellingHead or None
        The most telling head of those computed, if it was to be found.
    outcome : ModelEffect or None
        The effect of the changes on the model.
    """

    def __init__(
        self,
        experiment: "Experiment",
        heads: "ModelHeads",
        position: int,
        *,
        seeks: bool = False,
    ) -> None:
        self.experiment = experiment
        self.heads = heads
        self.position = position
        self.seeks = seeks
        self.telling: TellingHead | None = None
        self.stopped = False
        self.layer = 0
        self.outcome: ModelEffect | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        Stopped
            If it was cancelled.
        """
        from attnviewer.models.effect import effect_of
        from attnviewer.models.telling import telling_head

        experiment = self.experiment
        for layer in self.heads.layers:
            self.layer = layer
            for run in (experiment.run, experiment.compared or experiment.run):
                if self.stopped:
                    raise Stopped
                run.stream(layer + 1)
            self.heads.compute(layer)
            if self.seeks:
                self.telling = telling_head(self.heads, layer, self.telling)
        self.outcome = effect_of(experiment, self.position)


class PredictionJob:
    """Predicts tokens or classes at another position, as a job for a worker.

    Parameters
    ----------
    experiment : Experiment
        The completed runs.
    position : int
        The position.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    found : NextTokens or Classes or None
        What is predicted.
    """

    def __init__(self, experiment: "Experiment", position: int) -> None:
        self.experiment = experiment
        self.position = position
        self.stopped = False
        self.found: NextTokens | Classes | None = None

    def run(self) -> None:
        """Compute."""
        from attnviewer.models.effect import predicted

        experiment = self.experiment
        self.found = predicted(experiment.run, experiment.compared, self.position)

    def put_into(self, outcome: "ModelEffect") -> "ModelEffect":
        """Return an effect with what is predicted at this position."""
        from attnviewer.models.effect import with_predicted

        return with_predicted(outcome, self.found)


Work: TypeAlias = LayerJob | AllLayersJob | PredictionJob
"""The jobs on models."""


def check_no_patches(experiment: "Experiment") -> None:
    """Check that no weights of a part are replaced when another part is shown.

    Raises
    ------
    ValueError
        If some are.
    """
    if experiment.patches:
        raise ValueError(
            QCoreApplication.translate(
                "OpenModel",
                "Another part of the model can be shown once it has its own weights "
                "again: edited ones are applied to this part.",
            )
        )


def _first_phase(request: ModelRequest) -> Phase:
    if isinstance(request.source, Path):
        return Phase.OPENING
    if request.text is not None:
        return Phase.READING
    if request.patches is not None:
        return _phase_of(request.patches)
    return Phase.READING if request.other else Phase.COMPUTING


def _phase_of(patches: "tuple[WeightPatch, ...]") -> Phase:
    return Phase.REPLACING if patches else Phase.RESTORING


def _compared_title(experiment: "Experiment") -> str:
    if experiment.other is not None:
        return QCoreApplication.translate("OpenModel", "the other sentence")
    if experiment.reference is not None:
        return experiment.reference.model.name
    return QCoreApplication.translate("OpenModel", "the model's own weights")


def _nearest(location: ModelLocation, run: "ModelTrace") -> ModelLocation:
    """Return a layer or head of a run that is nearest to one of another part."""
    alone = location.alone
    return ModelLocation(
        min(location.layer, run.model.n_layers - 1),
        None if alone is None else min(alone, run.model.n_heads - 1),
    )


def _possible(location: ModelLocation, run: "ModelTrace") -> ModelLocation:
    """Return the layer or head that can be shown.

    Raises
    ------
    ValueError
        If the model has no such layer or head.
    """
    from attnviewer.models.layer_documents import is_whole

    head = 0 if location.alone is None else location.alone
    for name, number, count in (
        ("layer", location.layer, run.model.n_layers),
        ("head", head, run.model.n_heads),
    ):
        if not 0 <= number < count:
            raise ValueError(
                f"The '{name}' must be from 0 to {count - 1}. Got {number} instead."
            )
    return location if is_whole(run) else ModelLocation(location.layer, head)
