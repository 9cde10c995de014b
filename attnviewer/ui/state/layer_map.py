"""A map over all layers of the open model, computed in the background."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import ModelTrace
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.mixing import Of
    from attnviewer.models.written_heads import WrittenHeads

_tr = translate_in("LayerMaps")

LayerWay: TypeAlias = Literal[
    "rollout", "rollout_of_values", "flow", "attention_gradient"
]
"""How the heads of all layers are combined into one map."""
LAYER_WAYS: tuple[LayerWay, ...] = get_args(LayerWay)


@dataclass(frozen=True, slots=True)
class LayerChoice:
    """A map that is asked for.

    Parameters
    ----------
    way : str
        How the layers are combined.
    end : int or None
        The layer up to which, or, of attention × gradient, the token after which the
        model predicts; None for the last one.
    """

    way: LayerWay
    end: int | None = None


Wanted: TypeAlias = LayerChoice | Literal["written"]
"""The map to compute: one of attention, or of what each head writes."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerMap:
    """The layers of a model as one map.

    Parameters
    ----------
    choice : LayerChoice
        How they are combined.
    values : ndarray, shape (n, n)
        The numbers.
    of : str
        What they are numbers of: the token whose logit is differentiated; "" for
        others.
    """

    choice: LayerChoice
    values: "Array"
    of: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """The lengths of what each head writes.

    Parameters
    ----------
    heads : WrittenHeads
        The heads.
    largest : float
        The largest of all numbers.
    """

    heads: "WrittenHeads"
    largest: float


class MapJob:
    """Computes a map, as a job for a worker.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    share : float
        How much of it is done, 0 to 1.
    found : LayerMap or Written or None
        The result.
    """

    def __init__(self, experiment: "Experiment", wanted: Wanted) -> None:
        self.experiment, self.wanted = experiment, wanted
        self.stopped = False
        self.share = 0.0
        self.found: LayerMap | Written | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If the model has no such map, or a number is not finite.
        Stopped
            If it was cancelled.
        """
        wanted, run = self.wanted, self.experiment.run
        if wanted == "written":
            self.found = self._written(run)
        elif wanted.way == "flow":
            self.found = LayerMap(wanted, self._flow(run, wanted.end))
        elif wanted.way == "attention_gradient":
            self.found = _by_gradient(self.experiment, wanted)
        else:
            from attnviewer.models import rollout

            of: Of = "weights" if wanted.way == "rollout" else "values"
            self.found = LayerMap(wanted, rollout(run, wanted.end, of).values)

    def _flow(self, run: "ModelTrace", layer: int | None) -> "Array":
        import numpy as np

        from attnviewer.models.flow import flow_rows

        rows: list[Array] = []
        for row in flow_rows(run, layer):
            rows.append(row)
            self._advance(len(rows) / len(row))
        return np.array(rows)

    def _written(self, run: "ModelTrace") -> Written:
        from attnviewer.models.written_heads import WrittenHeads

        heads, largest = WrittenHeads(run), 0.0
        for layer in heads.layers:
            self._advance(layer / len(heads.layers))
            heads.compute(layer)
            largest = max(largest, heads.largest(layer))
        return Written(heads, largest)

    def _advance(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped


def _by_gradient(experiment: "Experiment", choice: LayerChoice) -> LayerMap:
    """Return attention × gradient; of an encoder, on the cosine with what it differs.

    Raises
    ------
    ValueError
        If an encoder is compared with nothing.
    """
    from attnviewer.models import EmbeddingCosine, Logit, attention_gradient

    run, other = experiment.run, experiment.compared
    if run.model.kind == "encoder":
        if other is None:
            raise ValueError(
                _tr(
                    "Attention × gradient of an encoder needs a second sentence, whose "
                    "embedding it is compared with: choose Compare… above."
                )
            )
        found = attention_gradient(run, EmbeddingCosine(other))
        return LayerMap(choice, found.by_token().values)
    position = -1 if choice.end is None else choice.end
    likely = run.next_tokens(1, position)[0]
    (name,) = run.model.readable([likely.token])
    found = attention_gradient(run, Logit(likely.id, position=position))
    return LayerMap(choice, found.by_token().values, name)
