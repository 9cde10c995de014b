"""Tokens that a decoder generates."""

from dataclasses import dataclass, field

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.models.generation.continuation import Continuation, Step
from attnviewer.models.generation.sampling import Sampling
from attnviewer.models.trace import ModelTrace


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A sentence that was continued token by token.

    Parameters
    ----------
    prompt : ModelTrace
        The run that was continued.
    steps : tuple of Step
        The tokens that followed.
    stopped : str
        Why it ended there, in one sentence.
    notice : str
        Which settings of the checkpoint, such as a penalty of repetitions, are not
        applied, in one sentence; "" if it has none.
    """

    prompt: ModelTrace = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    stopped: str
    notice: str = ""

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the generated tokens."""
        return tuple(step.token.id for step in self.steps)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The generated tokens as the tokenizer spells them."""
        return tuple(step.token.token for step in self.steps)

    @property
    def run(self) -> ModelTrace:
        """The run over the whole sentence."""
        return self.steps[-1].run


@short_signature
def generate(
    run: ModelTrace,
    n_tokens: int = 20,
    *,
    temperature: float | None = None,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
) -> Generation:
    """Continue a run of a decoder token by token, with a KV cache.

    Keys and values of earlier tokens are kept, so that each step computes only the row
    of the new token in each layer. Without `temperature`, `top_k` and `top_p` the most
    probable token is taken (greedy decoding), else one is drawn.

    Changes of the run act in every step: replaced weights, heads that are switched off,
    and pins of all rows with one number on each new token; activations that are set at
    given positions, on the tokens there alone.

    Parameters
    ----------
    run : ModelTrace
        The run to be continued.
    n_tokens : int
        The most tokens to be generated; fewer if a token ends the text, or the
        positions of the model are used up.
    temperature : float, optional
        The divisor of the logits; below 1 probable tokens become more probable.
    top_k : int, optional
        Draw only from so many of the most probable tokens.
    top_p : float, optional
        Draw only from the fewest most probable tokens whose probabilities reach this
        sum.
    seed : int
        Another one gives other draws.

    Returns
    -------
    Generation
        Each step with its token, probability, new rows of attention and a run.

    Raises
    ------
    ValueError, TypeError
        If the model is an encoder, the run leaves no position or has a pin that lets
        tokens attend to later ones, or a number is out of its range.

    References
    ----------
    Pope et al. 2023, "Efficiently Scaling Transformer Inference", arXiv:2211.05102
    (the KV cache); see `Sampling` for those of the choices.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("gpt2").run("A cat")  # doctest: +SKIP
    >>> models.generate(run, n_tokens=8).tokens  # doctest: +SKIP
    """
    whole_number("n_tokens", n_tokens, 1)
    sampling = Sampling(temperature, top_k, top_p, seed)
    going = Continuation(run)
    if going.ended:
        raise ValueError(
            f"The 'run' must leave a position for a token. {going.ended} Got "
            f"{len(run.ids)} tokens instead."
        )
    steps: list[Step] = []
    stopped = ""
    while not stopped:
        steps.append(going.advance(sampling))
        stopped = going.stopped_by(steps[-1])
        if not stopped and len(steps) == n_tokens:
            stopped = (
                f"All {n_tokens} tokens were generated."
                if n_tokens > 1
                else "The one token was generated."
            )
    return Generation(run, tuple(steps), stopped, going.notice)
