"""Statistics of what the heads of a model attend to, as a table."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attnviewer.compute.head_statistics import head_statistics
from attnviewer.models.trace import ModelTrace


class HeadRow(NamedTuple):
    """A head, with means over its queries; see `HeadStatistics`.

    Parameters
    ----------
    layer, head : int
        Layer and head, counted from zero.
    entropy : float
        In bits.
    effective_keys : float
        The effective number of keys that a query attends to.
    distance : float
        The mean distance between a query and its keys.
    first_share, previous_share, diagonal_share : float
        Mean weights of the first token, of the token before the query and of the query
        itself. NaN where no query has such a token.
    """

    layer: int
    head: int
    entropy: float
    effective_keys: float
    distance: float
    first_share: float
    previous_share: float
    diagonal_share: float


def head_table(
    run: ModelTrace, layers: Iterable[int] | None = None
) -> Iterator[HeadRow]:
    """Yield a row for each head of a run, layer by layer, as soon as it is computed.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layers : iterable of int, optional
        Which layers, counted from zero; all by default.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If one of its numbers is not finite.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("all-MiniLM-L6-v2").run("So tired.")  # doctest: +SKIP
    >>> min(models.head_table(run), key=lambda row: row.entropy)  # doctest: +SKIP
    """
    for layer in range(run.model.n_layers) if layers is None else layers:
        trace = run.attention(layer)
        for head in range(run.model.n_heads):
            means = head_statistics(trace.statistics(head=head))
            values = [float(getattr(means, name)) for name in HeadRow._fields[2:]]
            yield HeadRow(layer, head, *values)
