"""What a run of a model comes to: the next token, or the embedding of the sentence."""

from attnviewer.compute import Array
from attnviewer.compute.arguments import whole_number
from attnviewer.models.blocks import unembed
from attnviewer.models.forward_pass import ForwardPass, quiet
from attnviewer.models.next_token import NextToken, most_probable, probabilities
from attnviewer.models.pooling import pooled, supported
from attnviewer.models.token_positions import token_position


class Outputs(ForwardPass):
    """A forward pass with what is read from its last hidden states."""

    @property
    def logits(self) -> Array:
        """The logits of a decoder after each token, shape (n, n_tokens).

        Raises
        ------
        ValueError
            If the model predicts no tokens.
        """
        return self._logits(self.last_hidden_state)

    def next_tokens(self, count: int = 10, position: int = -1) -> list[NextToken]:
        """Return the most probable tokens after one of the sentence's.

        Parameters
        ----------
        count : int
            How many, most probable first.
        position : int
            The token to predict after; by default the last one.

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the model predicts no tokens.
        """
        whole_number("count", count, 1)
        return most_probable(self.next_probabilities(position), count, self.model.names)

    def next_probabilities(self, position: int = -1) -> Array:
        """Return the next-token probabilities after a token, shape (n_tokens,).

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the model predicts no tokens.
        """
        return probabilities(self.next_logits(position))

    def next_logits(self, position: int = -1) -> Array:
        """Return the logits after a token, shape (n_tokens,): a row of `logits`.

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the model predicts no tokens.
        """
        here = token_position(position, len(self.ids))
        logits: Array = self._logits(self.last_hidden_state[here : here + 1])[0]
        return logits

    @property
    def sentence_embedding(self) -> Array:
        """An encoder's embedding of the sentence or picture, shape (d_model,).

        Pooled according to sentence-transformers' ``modules.json``; without it, the
        mean over the tokens, of vision models ``[CLS]``, and of CLIP the token that
        ends the text. It is projected (shape (projection_dim,)) where the checkpoint
        has CLIP's projection, as ``text_embeds`` and ``image_embeds`` are.

        Raises
        ------
        ValueError
            If the model is a decoder, or its pooling is unsupported.
        """
        model = self.model
        pooling = supported(model.pooling, model.kind, model.architecture.family)
        row = pooled(self.last_hidden_state, pooling, self.ids)
        projection = model.weights.projection
        return row if projection is None else row @ projection

    @quiet
    def _logits(self, rows: Array) -> Array:
        return unembed(self.model.weights, self.model.architecture, rows)
