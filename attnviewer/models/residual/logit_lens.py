"""The logit lens: what a decoder would predict after each layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.html import HIGH
from attnviewer.models.blocks import apply_norm, unembed
from attnviewer.models.next_token import NextToken, most_probable, probabilities
from attnviewer.models.outputs import Outputs
from attnviewer.models.token_positions import token_position

COUNT = 5
"""How many tokens are listed of each layer."""


@dataclass(frozen=True, slots=True, eq=False)
class LogitLens:
    """The logits that the residual stream gives at each layer.

    Parameters
    ----------
    position : int
        The token after which they predict, counted from zero.
    logits : ndarray, shape (n_layers + 1, n_tokens)
        Those of the embeddings, then those of the stream after each layer.
    most_probable : tuple of tuple of NextToken
        The most probable tokens of each row, in readable form.
    """

    position: int
    logits: Array
    most_probable: tuple[tuple[NextToken, ...], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The place in the model that each row is taken after."""
        after = (f"after L{layer}" for layer in range(len(self.logits) - 1))
        return "embeddings", *after

    def probabilities_of(self, id: int) -> Array:
        """Return the probability of a token in each row, shape (n_layers + 1,)."""
        return np.array([probabilities(row)[id] for row in self.logits])

    def __repr__(self) -> str:
        words = (f"{tokens[0].token!r}" for tokens in self.most_probable)
        return f"<LogitLens after token {self.position}: {', '.join(words)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{label}</td>{''.join(map(_cell, tokens))}</tr>"
            for label, tokens in zip(self.labels, self.most_probable, strict=True)
        )
        return (
            f"<div>Next tokens after token {self.position}<table>{rows}</table></div>"
        )


def _cell(token: NextToken) -> str:
    colour = f"rgba({HIGH},{0.6 * token.probability:.2f})"
    return (
        f'<td style="background:{colour}">{escape(token.token)} '
        f"<small>{token.probability:.1%}</small></td>"
    )


def logit_lens(run: Outputs, position: int = -1) -> LogitLens:
    """Return the logits of the stream at each layer, as if the model ended there.

    The final norm and the unembedding are applied to the residual stream that enters
    each layer, and to the last one, whose logits are those of the model.

    Parameters
    ----------
    run : ModelTrace
        The run of a decoder.
    position : int
        The token to predict after; by default the last one.

    Raises
    ------
    IndexError
        If there is no such token.
    ValueError
        If the model predicts no tokens.

    References
    ----------
    nostalgebraist 2020, "interpreting GPT: the logit lens".

    Examples
    --------
    >>> run.logit_lens().most_probable[6][0].token  # doctest: +SKIP
    """
    model, place = run.model, token_position(position, len(run.ids))
    streams = [run.stream(layer)[place] for layer in range(model.n_layers + 1)]
    norm = model.weights.norm("final")
    rows = apply_norm(np.stack(streams), "final", norm, model.architecture)
    logits = unembed(model.weights, model.architecture, rows)
    logits.flags.writeable = False

    def readable(ids: Sequence[int]) -> tuple[str, ...]:
        return model.readable(model.names(ids))

    likely = (most_probable(probabilities(row), COUNT, readable) for row in logits)
    return LogitLens(place, logits, tuple(map(tuple, likely)))
