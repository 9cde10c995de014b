"""The outputs of a run of a model: predictions, and the sentence embedding."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import whole_number
from attnviewer.models.blocks import classify, unembed
from attnviewer.models.forward_pass import ForwardPass, quiet
from attnviewer.models.next_token import NextToken, most_probable, probabilities
from attnviewer.models.output_head import OutputHead
from attnviewer.models.pooling import pooled, supported
from attnviewer.models.predicted_classes import PredictedClass, class_probabilities
from attnviewer.models.token_positions import token_position

MASKS = ("[MASK]", "<mask>")
"""How vocabularies spell the token that stands for a masked one."""


class Outputs(ForwardPass):
    """A forward pass with what is read from its last hidden states."""

    @property
    def logits(self) -> Array:
        """The logits of the checkpoint's output head.

        Of each token of the vocabulary, (n, n_tokens): of a decoder for the token after
        each, of a head for masked tokens for the token at each place. Of a classifier
        of each label, (n, n_labels) for tokens and (n_labels,) for a sequence or a
        picture; of a head for answers the start and the end at each token, (n, 2).

        Raises
        ------
        ValueError
            If the checkpoint has no head, or none that is computed.
        """
        head = self.model.architecture.head
        if head is None or head.predicts == "tokens":
            return self._logits(self.last_hidden_state)
        logits = self._class_logits(head)  # (m, n_labels)
        if head.alone:
            return logits[:, 0]
        return logits if head.reads == "each" else logits[0]

    def classes(self, position: int = -1) -> list[PredictedClass]:
        """Return the classes that a classifier predicts, most probable first.

        Parameters
        ----------
        position : int
            The token, of a head that classifies each; by default the last one.

        Raises
        ------
        IndexError
            If there is no such token.
        ValueError
            If the checkpoint has no head for classes.
        """
        head = self._class_head()
        place = token_position(position, len(self.ids)) if head.reads == "each" else 0
        logits = self._class_logits(head)  # (m, n_labels)
        row, shares = logits[place], class_probabilities(head, logits)[place]
        return [
            PredictedClass(id, head.labels[id], float(row[id]), float(shares[id]))
            for id in np.argsort(-row, kind="stable").tolist()
        ]

    def next_tokens(self, count: int = 10, position: int = -1) -> list[NextToken]:
        """Return the most probable tokens after one of the sentence's.

        A head for masked tokens predicts the token at the position instead.

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
    def masked_position(self) -> int:
        """The position of the first token that is masked; the last one without any."""
        found = (n for n, token in enumerate(self.tokens) if token in MASKS)
        return next(found, len(self.ids) - 1)

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

    def similarity_logit(self, other: "Outputs") -> float:
        """Return CLIP's logit of a text and a picture: a scale times their cosine.

        Parameters
        ----------
        other : ModelTrace
            A run of the other tower: over a picture, if this one is over a text.

        Returns
        -------
        float
            The number that transformers has in ``logits_per_text``; NaN where an
            embedding is zero.

        Raises
        ------
        ValueError
            If the runs are not of both towers of one CLIP, or it has no scale.

        References
        ----------
        Radford et al. 2021, "Learning Transferable Visual Models From Natural Language
        Supervision", figure 3.
        """
        if self.model.other is None or self.model.other is not other.model:
            raise ValueError(
                "The 'other' must be a run of the other tower of the same CLIP. "
                f"Got one of {other.model.name} instead."
            )
        if not self.model.weights.has("similarity_scale"):
            raise ValueError(
                "The model must have a logit_scale to compare texts with images. "
                f"Got {self.model.name} without one instead."
            )
        own = self.sentence_embedding.astype(np.float64)  # (d_projection,)
        others = other.sentence_embedding.astype(np.float64)  # (d_projection,)
        lengths = np.linalg.norm(own) * np.linalg.norm(others)
        scale = self.model.weights.shared("similarity_scale").astype(np.float64)
        return float(np.exp(scale) * (own @ others) / lengths) if lengths else np.nan

    def _class_head(self) -> OutputHead:
        """Return the head that predicts classes."""
        model = self.model
        head = model.architecture.head
        if head is not None and head.predicts != "tokens":
            return head
        notice = f" {model.weights.notice}" if model.weights.notice else ""
        raise ValueError(
            "The model must have a head for classes. "
            f"Got {model.architecture.family} without one instead.{notice}"
        )

    @quiet
    def _class_logits(self, head: OutputHead) -> Array:
        """Return the logits of a head for classes, (m, n_labels)."""
        ids = self.ids
        if self.beside is not None and len(self.beside.encoder.ids) == len(ids):
            # The decoder's are shifted: the row of a token is where the encoder has it.
            ids = self.beside.encoder.ids
        rows = head.read(self.last_hidden_state, ids)  # (m, d)
        return classify(self.model.weights, self.model.architecture, rows)

    @quiet
    def _logits(self, rows: Array) -> Array:
        return unembed(self.model.weights, self.model.architecture, rows)
