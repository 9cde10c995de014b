"""Jobs for a model's worker: one more token, or an earlier step of a generation."""

from typing import TYPE_CHECKING

from attnviewer.ui.state.generation.choices import GenerationChoices
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.generation import Continuation, Step


class SentenceJob(LayerJob):
    """Shows a run whose streams are known in place of the open sentence.

    Parameters
    ----------
    experiment : Experiment
        The open runs.
    location : ModelLocation
        The layer or head to show.
    sentence : ModelTrace
        The run.
    prompt : ModelTrace
        The run that it continues.
    """

    def __init__(
        self,
        experiment: "Experiment",
        location: ModelLocation,
        sentence: "ModelTrace",
        prompt: "ModelTrace",
    ) -> None:
        super().__init__(ModelRequest(experiment, location))
        self._open, self._sentence, self._prompt = experiment, sentence, prompt

    def _experiment(self) -> "Experiment":
        from attnviewer.models.sentences import continued_text

        self.text = continued_text(self._prompt, self._sentence)
        return self._open.continued(self._sentence)


class TokenJob(SentenceJob):
    """Generates a token and shows the sentence with it.

    Parameters
    ----------
    experiment, location, prompt
        As for a `SentenceJob`.
    choices : GenerationChoices
        How the token is chosen.
    continuation : Continuation or None
        What has generated the tokens so far; None makes one, with a new cache.

    Attributes
    ----------
    continuation : Continuation or None
        The same.
    step : Step or None
        The token.
    """

    def __init__(
        self,
        experiment: "Experiment",
        location: ModelLocation,
        prompt: "ModelTrace",
        choices: GenerationChoices,
        continuation: "Continuation | None",
    ) -> None:
        super().__init__(experiment, location, experiment.run, prompt)
        self.continuation = continuation
        self.step: Step | None = None
        self._choices = choices

    def _experiment(self) -> "Experiment":
        from attnviewer.models.generation import Continuation

        if self.continuation is None:
            self.continuation = Continuation(self._sentence)
        self.step = self.continuation.advance(self._choices.sampling())
        self._sentence = self.step.run
        return super()._experiment()
