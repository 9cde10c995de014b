"""Contributions of the parts of a model to a run, as methods of the run."""

from attnviewer.compute import Array
from attnviewer.models.outputs import Outputs
from attnviewer.models.residual import (
    Contributions,
    LogitLens,
    ScoreParts,
    attribution,
    embedding_shares,
    logit_lens,
    score_parts,
    written,
)


class Interpretation(Outputs):
    """A forward pass with what its parts contribute; see `attnviewer.models.residual`.

    Norms keep the scales that they have in this run, so that contributions add up.
    """

    def logit_lens(self, position: int = -1) -> LogitLens:
        """Return the logits of the stream at each layer, as if the model ended there.

        See `attnviewer.models.residual.logit_lens`.
        """
        return logit_lens(self, position)

    def attribution(
        self, token: str | int, against: str | int | None = None, position: int = -1
    ) -> Contributions:
        """Split a logit, or the difference of two, over heads, MLPs and embeddings.

        See `attnviewer.models.residual.attribution`.
        """
        return attribution(self, token, against, position)

    def embedding_shares(self) -> Contributions:
        """Split the length of the sentence embedding over heads, MLPs and embeddings.

        See `attnviewer.models.residual.embedding_shares`.
        """
        return embedding_shares(self)

    def score_parts(self, layer: int, head: int, query: int, key: int) -> ScoreParts:
        """Split a score of a head over pairs of what earlier parts wrote.

        See `attnviewer.models.residual.score_parts`.
        """
        return score_parts(self, layer, head, query, key)

    def written(self, layer: int, head: int) -> Array:
        """Return the length of what a head moves from each key to each query, (n, n).

        See `attnviewer.models.residual.written`.
        """
        return written(self, layer, head)
