"""Numbers that a run comes to, by which runs are compared."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from attnviewer.compute.arguments import real_number
from attnviewer.models.effect import similarity
from attnviewer.models.trace import ModelTrace

Metric: TypeAlias = Callable[[ModelTrace], float]
"""A number of a run."""


@dataclass(frozen=True, slots=True)
class Logit:
    """The logit of a token, or the difference of those of two.

    With logits z after a token, z[token] − z[minus]. Of a difference, what raises all
    logits alike drops out, and it is linear in what is written into the residual stream
    before the final norm.

    Parameters
    ----------
    token : str or int
        A token of the vocabulary, a text that is one (see `Model.id_of`), or an id.
    minus : str or int, optional
        The token whose logit is subtracted.
    position : int
        The token after which the model predicts; by default the last one.

    Raises
    ------
    ValueError
        Called with a run: if the model predicts no tokens, or something is no single
        token of its vocabulary.
    IndexError
        Called with a run: if it has no such position.

    References
    ----------
    Wang et al., "Interpretability in the Wild", 2023, arXiv:2211.00593, section 2,
    "Task description"; Zhang and Nanda, "Towards Best Practices of Activation
    Patching", 2024, arXiv:2309.16042, which compares it with the probability.
    """

    token: str | int
    minus: str | int | None = None
    position: int = -1

    def __call__(self, run: ModelTrace) -> float:
        logits = run.next_logits(self.position)  # (n_tokens,)
        found = float(logits[run.model.id_of(self.token)])
        if self.minus is not None:
            found -= float(logits[run.model.id_of(self.minus)])
        return found

    def __str__(self) -> str:
        minus = "" if self.minus is None else f" − {_named(self.minus)}"
        return f"logit of {_named(self.token)}{minus}{_after(self.position)}"


@dataclass(frozen=True, slots=True)
class Probability:
    """The probability of a token as the next one: its share of the softmax.

    Parameters
    ----------
    token : str or int
        A token of the vocabulary, a text that is one (see `Model.id_of`), or an id.
    position : int
        The token after which the model predicts; by default the last one.

    Raises
    ------
    ValueError
        Called with a run: if the model predicts no tokens, or something is no single
        token of its vocabulary.
    IndexError
        Called with a run: if it has no such position.
    """

    token: str | int
    position: int = -1

    def __call__(self, run: ModelTrace) -> float:
        probabilities = run.next_probabilities(self.position)  # (n_tokens,)
        return float(probabilities[run.model.id_of(self.token)])

    def __str__(self) -> str:
        return f"probability of {_named(self.token)}{_after(self.position)}"


@dataclass(frozen=True, slots=True)
class EmbeddingCosine:
    """The cosine of a run's sentence embedding with that of a fixed run, a·b / ‖a‖‖b‖.

    Parameters
    ----------
    reference : ModelTrace
        The fixed run.

    Raises
    ------
    ValueError
        Called with a run: if the model embeds no sentences.
    """

    reference: ModelTrace

    def __call__(self, run: ModelTrace) -> float:
        fixed = self.reference.sentence_embedding  # (d_model,)
        return similarity(fixed, run.sentence_embedding).cosine

    def __str__(self) -> str:
        return "cosine of the sentence embeddings"


def default_metric(run: ModelTrace) -> Metric:
    """Return the metric that is used where none is chosen.

    Of an encoder the cosine with the run's own sentence embedding, of a decoder the
    logit of the token that the run holds to be the most probable next one.

    Raises
    ------
    ValueError
        If the model neither embeds sentences nor predicts tokens.
    """
    if run.model.kind == "encoder":
        return EmbeddingCosine(run)
    return Logit(int(run.next_logits().argmax()))


def measure(metric: Metric, run: ModelTrace) -> float:
    """Return the metric of a run.

    Raises
    ------
    TypeError
        If it is no number.
    """
    found = metric(run)
    try:
        return real_number("metric", found)
    except TypeError:
        raise TypeError(
            f"The 'metric' must return a number. Got {found!r} instead."
        ) from None


def metric_name(metric: Metric) -> str:
    """Return what a metric is called."""
    return str(getattr(metric, "__name__", metric))


def _named(token: str | int) -> str:
    return f"'{token}'" if isinstance(token, str) else f"#{token}"


def _after(position: int) -> str:
    return "" if position == -1 else f" after token {position}"
