"""The sentences and tokens that the user typed, read by the open model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attnviewer.io import FileError
from attnviewer.ui.state.patching.choices import METRICS, MetricKind, PatchingChoices
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace
    from attnviewer.models.layer_documents import WeightPatch
    from attnviewer.models.patching.metrics import Metric


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The typed texts as runs and tokens, or the reason for a refusal.

    Parameters
    ----------
    choices : PatchingChoices
        What was typed.
    clean : ModelTrace
        The run over the open sentence.
    corrupted : ModelTrace or None
        That over the other sentence, aligned or not; None if it cannot be run.
    over : tuple of ModelTrace
        The runs that outputs of heads are taken from.
    best : tuple of str
        The default tokens of the metric; empty for an encoder.
    missing : mapping of str to str
        Why the model cannot have a metric, by metric.
    refused : mapping of str to str
        Why something typed is refused, by the field of the choices.
    """

    choices: PatchingChoices
    clean: "ModelTrace"
    corrupted: "ModelTrace | None"
    over: "tuple[ModelTrace, ...]" = ()
    best: tuple[str, ...] = ()
    missing: Mapping[MetricKind, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    @property
    def metric_kind(self) -> MetricKind | None:
        """The chosen metric, or else one that the model has; None if it has none."""
        known = [kind for kind in METRICS if kind not in self.missing]
        chosen = self.choices.metric
        return chosen if chosen in known else next(iter(known), None)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the metric, as typed or by default."""
        typed = (self.choices.token, self.choices.minus)
        count = {"difference": 2, "probability": 1}.get(self.metric_kind or "", 0)
        return tuple(
            text or best
            for text, best in zip(typed[:count], self.best[:count], strict=True)
        )

    @property
    def complete(self) -> bool:
        """Whether the effects can be computed."""
        patched = self.choices.way == "patch"
        return (
            not self.refused
            and self.metric_kind is not None
            and (not patched or self.corrupted is not None)
            and (self.choices.to != "resample" or patched or bool(self.over))
        )

    @property
    def metric(self) -> "Metric":
        """The metric; only of a complete reading."""
        from attnviewer.models.patching import EmbeddingCosine, Logit, Probability

        if self.metric_kind == "cosine":
            return EmbeddingCosine(self.clean)
        first, *rest = [token_of(self.clean.model, text) for text in self.tokens]
        return Logit(first, rest[0]) if rest else Probability(first)


class ReadingJob:
    """Reads what was typed, as a job for a worker.

    Parameters
    ----------
    run : ModelTrace
        The completed run over the open sentence.
    patches : tuple of WeightPatch
        Its replaced weights, which the other runs have, too.
    choices : PatchingChoices
        What was typed.
    before : Reading or None
        An earlier reading, whose runs are taken over where they are the same.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    reading : Reading or None
        The result.
    """

    def __init__(
        self,
        run: "ModelTrace",
        patches: "tuple[WeightPatch, ...]",
        choices: PatchingChoices,
        before: Reading | None,
    ) -> None:
        self.clean, self.choices = run, choices
        self.stopped = False
        self.reading: Reading | None = None
        self._patches = patches
        same = before is not None and before.clean is run
        self._before = before if same else None
        self._refused: dict[str, str] = {}

    def run(self) -> None:
        """Read.

        Raises
        ------
        Stopped
            If it was cancelled.
        """
        clean, choices = self.clean, self.choices
        corrupted = self._corrupted() if choices.way == "patch" else None
        over: tuple[ModelTrace, ...] = ()
        if choices.way == "ablate" and choices.to != "zero":
            over = self._over()
        missing = _missing(clean)
        aligned = None if "other" in self._refused else corrupted
        best: tuple[str, ...] = ()
        if "difference" not in missing:
            best = _best_tokens(clean, clean if aligned is None else aligned)
        reading = Reading(choices, clean, corrupted, over, best, missing)
        for name, text in zip(("token", "minus"), reading.tokens, strict=False):
            try:
                clean.model.id_of(token_of(clean.model, text))
            except ValueError as error:
                self._refused[name] = str(error)
        if len(missing) == len(METRICS):
            self._refused["metric"] = missing["difference"]
        self.reading = Reading(
            choices, clean, corrupted, over, best, missing, self._refused
        )

    def _corrupted(self) -> "ModelTrace | None":
        """Return the run over the corrupted sentence, all of it computed."""
        if not self.choices.other.strip():
            return None
        found, before = None, self._before
        if before is not None and before.choices.other == self.choices.other:
            found = before.corrupted
        if found is None:
            found = self._run_over("other", self.choices.other)
        if found is not None:
            self._check_aligned("other", found)
        return found

    def _over(self) -> "tuple[ModelTrace, ...]":
        lines = filter(str.strip, self.choices.over.splitlines())
        runs = [run for line in lines if (run := self._run_over("over", line))]
        if self.choices.to == "resample":
            for run in runs:
                self._check_aligned("over", run)
        return tuple(runs)

    def _run_over(self, name: str, text: str) -> "ModelTrace | None":
        from attnviewer.models.layer_documents import with_patches
        from attnviewer.ui.state.model.picture_files import run_over_typed

        try:
            run = with_patches(run_over_typed(self.clean.model, text), self._patches)
            for layer in range(run.model.n_layers + 1):
                if self.stopped:
                    raise Stopped
                run.stream(layer)
        except (ValueError, FileError) as error:
            self._refused.setdefault(name, str(error))
            return None
        return run

    def _check_aligned(self, name: str, run: "ModelTrace") -> None:
        from attnviewer.models.activations.replacing import check_aligned

        try:
            check_aligned(self.clean, run)
        except ValueError as error:
            self._refused.setdefault(name, str(error))


def token_of(model: "Model", text: str) -> str | int:
    """Return a token as `Model.id_of` takes it: ``#17`` is an id.

    So is ``17`` for a model without a tokenizer.
    """
    digits = text.removeprefix("#")
    is_id = digits.isascii() and digits.isdecimal() and len(digits) < 19
    if is_id and (digits != text or model.tokenizer is None):
        return int(digits)
    return text


def _missing(run: "ModelTrace") -> dict[MetricKind, str]:
    """Return why a model does not have metrics, in its library's sentences."""
    missing: dict[MetricKind, str] = {}
    try:
        run.next_logits()
    except ValueError as error:
        missing["difference"] = missing["probability"] = str(error)
    try:
        _ = run.sentence_embedding
    except ValueError as error:
        missing["cosine"] = str(error)
    return missing


def _best_tokens(clean: "ModelTrace", other: "ModelTrace") -> tuple[str, str]:
    """Return the most probable next token of each of two runs, two different ones."""
    (first,) = clean.next_tokens(1)
    second = next(t for t in other.next_tokens(2) if t.id != first.id)
    return first.token, second.token
