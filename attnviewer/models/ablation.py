"""A head of a model that is switched off, or held at its mean."""

from dataclasses import dataclass
from typing import get_args

from attnviewer.compute import Array, HeadLocation
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.document.variants.ablation import Ablation
from attnviewer.models.activations import Site
from attnviewer.models.effect import ModelEffect, effect_between, relative_changes
from attnviewer.models.patching.ablating import To, head_outputs
from attnviewer.models.trace import ModelTrace

_TO: dict[Ablation, To] = {"off": "zero", "mean": "mean"}


@dataclass(frozen=True, slots=True)
class HeadAblation:
    """A head whose output is replaced.

    Parameters
    ----------
    layer, head : int
        The head, counted from zero.
    kind : str
        ``off`` replaces the head's output by zeros, ``mean`` that of each token by the
        mean over the tokens of the sentence, so that it no longer depends on the token.

    Raises
    ------
    ValueError
        If the kind is unknown.

    References
    ----------
    Wang et al., "Interpretability in the Wild", 2023, section 2.2 (mean ablation).
    """

    layer: int
    head: int
    kind: Ablation

    def __post_init__(self) -> None:
        check_name("kind", self.kind, get_args(Ablation))

    @property
    def name(self) -> str:
        """The short name of the head: ``L3 H1``."""
        return HeadLocation(self.layer, self.head).name

    def of(self, run: ModelTrace) -> ModelTrace:
        """Return the run over the same sentence with the head's output replaced.

        Nothing is computed yet but the layers up to this one, for the mean; results of
        earlier layers are shared, and replaced weights and pins stay.

        Parameters
        ----------
        run : ModelTrace
            The run.

        Raises
        ------
        IndexError
            If there is no such layer or head.
        ValueError
            If a number up to there is not finite.
        """
        count = run.model.n_heads
        if not 0 <= whole_number("head", self.head) < count:
            raise IndexError(
                f"The 'head' must be from 0 to {count - 1}. Got {self.head} instead."
            )
        (outputs,) = head_outputs(run, self.layer, _TO[self.kind])  # (h, n, d_head)
        site = Site("heads", self.layer, self.head)
        return run.with_activations({site: outputs[self.head]})


@dataclass(frozen=True, slots=True, eq=False)
class AblationEffect:
    """The effect of an ablation on a model, compared with the run without it.

    Parameters
    ----------
    ablation : HeadAblation
        The head, and what its output was replaced by.
    run : ModelTrace
        The run with it, which is computed completely.
    outcome : ModelEffect
        The effect on layers and output.
    tokens : ndarray, shape (n,)
        How much the hidden state of each token changed after the head's layer,
        ‖after − before‖ / ‖before‖.
    """

    ablation: HeadAblation
    run: ModelTrace
    outcome: ModelEffect
    tokens: Array


def ablation_effect(
    ablation: HeadAblation, run: ModelTrace, ablated: ModelTrace, position: int = -1
) -> AblationEffect:
    """Return how an ablated run differs from the run without the ablation.

    Parameters
    ----------
    ablation : HeadAblation
        The head, and what its output is replaced by.
    run, ablated : ModelTrace
        The run, and what `HeadAblation.of` made of it.
    position : int
        The token after which a decoder predicts; by default the last one.

    Raises
    ------
    IndexError
        If there is no such token.
    """
    outcome = effect_between(ablated, run, position)
    after = ablation.layer + 1
    changes = relative_changes(run.hidden_states[after], ablated.hidden_states[after])
    return AblationEffect(ablation, ablated, outcome, changes)
