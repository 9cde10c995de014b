"""Where the texts come from for which a head's numbers are largest."""

from collections.abc import Sequence
from typing import Protocol


class ExampleSource(Protocol):
    """Texts for which numbers of heads are largest, such as those of a survey."""

    @property
    def metrics(self) -> Sequence[str]:
        """The names of the numbers, see `DETECTORS`."""

    def examples(self, layer: int, head: int, metric: str) -> list[tuple[float, str]]:
        """Return numbers of a head with their texts, the largest first."""
