"""The cases that were recorded with TransformerLens."""

from dataclasses import dataclass
from pathlib import Path

from attnviewer.paths import resource
from tests.models import checkpoints
from tests.models.recorded import DATA

FILE = DATA / "transformer_lens.json"
KINDS = "heads", "weights", "values", "stream", "attention", "feed_forward"
"""The activations that are patched."""


@dataclass(frozen=True)
class Case:
    """A checkpoint, two sentences, and the tokens whose logits are compared.

    A family is that of a tiny checkpoint; None is the bundled model.
    """

    family: str | None
    ids: list[int]
    other_ids: list[int]
    tokens: tuple[int, int]

    def folder(self, temporary: Path) -> Path:
        if self.family is None:
            return resource("notebooks", "induction-model")
        return checkpoints.write(self.family, temporary)


_TINY = [4, 9, 2, 7, 4, 9, 2], [4, 9, 3, 7, 4, 9, 2], (7, 11)
CASES = {
    # "old cat sold bread old cat", or with "fox" as the first animal
    "induction": Case(
        None, [19, 41, 133, 97, 19, 41], [19, 43, 133, 97, 19, 41], (133, 97)
    ),
    "gpt2": Case("gpt2", *_TINY),
    "llama": Case("llama", *_TINY),
}
