"""The user's choice of interventions, and of the number that they are judged by."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from attnviewer.models.activations import Kind
    from attnviewer.models.patching.ablating import To

Way: TypeAlias = Literal["ablate", "patch"]
"""Whether heads are switched off, or activations taken from another sentence."""
MetricKind: TypeAlias = Literal["difference", "probability", "cosine"]
"""The number by which runs are compared."""
METRICS: tuple[MetricKind, ...] = ("difference", "probability", "cosine")
ABLATIONS: "tuple[To, ...]" = ("zero", "mean", "resample")
SITES: "tuple[Kind, ...]" = (
    "heads",
    "weights",
    "values",
    "stream",
    "attention",
    "feed_forward",
)
"""The activations on offer; those before ``stream`` are of single heads."""


@dataclass(frozen=True, slots=True)
class PatchingChoices:
    """The interventions to compute.

    Parameters
    ----------
    way : str
        Whether heads are switched off, or activations patched.
    to : str
        What the output of a head is replaced by, as for `models.ablate`.
    over : str
        Sentences that outputs are taken from, one in each line.
    other : str
        The corrupted sentence.
    sites : str
        The kind of activation that is patched.
    each : bool
        Whether activations of heads are patched one token at a time.
    into_clean : bool
        Whether activations of the corrupted sentence replace those of the clean one.
    metric : str
        The number by which runs are compared.
    token, minus : str
        The tokens of the metric; "" for the default ones.
    estimated : bool
        Whether the estimate by gradients is wanted, too.
    """

    way: Way = "patch"
    to: "To" = "zero"
    over: str = ""
    other: str = ""
    sites: "Kind" = "heads"
    each: bool = False
    into_clean: bool = False
    metric: MetricKind = "difference"
    token: str = ""
    minus: str = ""
    estimated: bool = False

    @property
    def of_heads(self) -> bool:
        """Whether the activations are of single heads."""
        return self.way == "ablate" or self.sites in ("heads", "weights", "values")

    @property
    def by_token(self) -> bool:
        """Whether tokens are patched one at a time."""
        return self.way == "patch" and (self.each or not self.of_heads)
