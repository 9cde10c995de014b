"""The user's choices for sampling the next token."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnviewer.models.generation import Sampling


@dataclass(frozen=True, slots=True)
class GenerationChoices:
    """The choice of the next token.

    Parameters
    ----------
    sampled : bool
        Whether it is drawn, rather than the most probable one.
    temperature : float
        The divisor of the logits.
    top_k : int
        Among how many tokens it is drawn; 0 for all.
    top_p : float
        The probability that these reach together.
    seed : int
        What it is drawn with.
    """

    sampled: bool = False
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def sampling(self) -> "Sampling":
        """Return the same for `Continuation`."""
        # Models are imported with the first one that is opened.
        from attnviewer.models.generation import Sampling

        if not self.sampled:
            return Sampling()
        return Sampling(self.temperature, self.top_k or None, self.top_p, self.seed)
