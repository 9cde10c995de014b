"""The pattern of one head."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from attnviewer.compute.arguments import real_number, whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.patterns.budgets import Budget, Budgets
from attnviewer.compute.patterns.kept import BlockSparse, Kept, Streaming, VerticalSlash
from attnviewer.compute.patterns.lines import SETS, divided
from attnviewer.compute.patterns.marginals import Marginals
from attnviewer.compute.patterns.naming import pattern_name
from attnviewer.compute.patterns.needles import Needle
from attnviewer.compute.patterns.one_pass import one_pass
from attnviewer.compute.patterns.reader import TileReader, offset_of, tile_reader
from attnviewer.compute.patterns.repeats import Repeats
from attnviewer.compute.patterns.running import Run, run_in_threads
from attnviewer.compute.patterns.sizes import SetSizes
from attnviewer.compute.progress import Progress
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.windowed import Windowed


@dataclass(frozen=True, eq=False, repr=False)
class HeadPatterns:
    """Where the attention of a head goes; `DEFINITIONS` has a sentence on each number.

    Attributes
    ----------
    name : str
        The pattern: streaming, vertical-slash, block-sparse, retrieval, uniform, dense,
        or blind.
    keep : float
        The share of all attention that budgets keep.
    budgets : dict of str to Budget
        The fewest cells with which each pattern keeps it: streaming, vertical-slash and
        block-sparse, as far as they can, and full.
    shares : dict of str to float
        The share of attention to sinks, local, vertical, slash, repeated, blocks and
        rest. Each cell counts in the first of them that holds it, so that they add up
        to 1; all are 0 if there is no attention.
    alone : dict of str to float
        The share of attention to each set whatever the others hold, without rest.
    sets : dict of str to Kept
        The cells of sinks, local, vertical, slash and blocks.
    marginals : Marginals
        The attention by query, key, distance and block.
    needles : list of Needle
        The distant weights that are largest by size, the largest first.
    """

    name: str
    keep: float
    budgets: dict[str, Budget]
    shares: dict[str, float]
    alone: dict[str, float]
    sets: dict[str, Kept]
    marginals: Marginals
    needles: Sequence[Needle]

    def __repr__(self) -> str:
        least = self.cheapest
        return (
            f"<HeadPatterns {self.name}: {least.name} keeps {least.share:.1%} with "
            f"{least.cell_share:.1%} of the cells>"
        )

    @property
    def cheapest(self) -> Budget:
        """The budget of the fewest cells, the simpler pattern of equal ones."""
        return min(self.budgets.values(), key=lambda budget: budget.cells)

    @property
    def evenness(self) -> float:
        """The effective keys over the visible keys, on average."""
        return self.marginals.evenness

    @property
    def n_marked(self) -> int:
        """The number of rows with NaN or an infinite number, which count nowhere."""
        return int(self.marginals.marked.sum())

    def as_json(self) -> dict[str, Any]:
        """Return the numbers, without the marginals, as what JSON can hold."""
        evenness = self.evenness
        return {
            "name": self.name,
            "keep": self.keep,
            "cheapest": self.cheapest.name,
            "budgets": {
                name: {
                    "share": budget.share,
                    "cells": budget.cells,
                    "cell_share": budget.cell_share,
                }
                for name, budget in self.budgets.items()
            },
            "shares": self.shares,
            "alone": self.alone,
            "evenness": None if evenness != evenness else evenness,
            "marked_rows": self.n_marked,
            "needles": [needle._asdict() for needle in self.needles],
        }


@short_signature
def find_patterns(
    matrix: TileReader | Windowed | Array,
    *,
    query_offset: int | None = None,
    tokens: Sequence[Hashable] | None = None,
    keep: float = 0.95,
    sizes: SetSizes | None = None,
    n_needles: int = 100,
    progress: Progress | None = None,
    run: Run = run_in_threads,
) -> HeadPatterns:
    """Find the pattern of a head's attention, exactly and without holding its matrix.

    The weights are read once, tile by tile, and a few keys and offsets again. Weights
    below zero count by their size; rows with NaN or infinite numbers are marked, and
    count nowhere.

    Parameters
    ----------
    matrix : HeadWeights, Windowed, or ndarray of shape (n_q, n_k)
        The weights.
    query_offset : int, optional
        Position of the first query among the keys; by default that of `HeadWeights`,
        else 0.
    tokens : sequence, optional
        The tokens of the keys, among which the queries are; without them, nothing is
        counted as repeated.
    keep : float
        The share of all attention that a budget keeps, above 0 and up to 1.
    sizes : SetSizes, optional
        The sizes of the sets.
    n_needles : int
        How many of the largest distant weights are listed.
    progress : callable, optional
        Called with the completed fraction; may raise to stop.
    run : Run
        What computes blocks of queries: by default, threads of this process.

    Returns
    -------
    HeadPatterns

    Raises
    ------
    TypeError, ValueError
        If a parameter is out of range, or tokens do not fit.

    References
    ----------
    Streaming: Xiao et al. 2023, "Efficient Streaming Language Models with Attention
    Sinks". Vertical-slash and block-sparse: Jiang et al. 2024, "MInference 1.0:
    Accelerating Pre-filling for Long-Context LLMs via Dynamic Sparse Attention".
    Retrieval: Wu et al. 2024, "Retrieval Head Mechanistically Explains Long-Context
    Factuality". Repeated: Olsson et al. 2022, "In-context Learning and Induction
    Heads".

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.patterns import find_patterns
    >>> found = find_patterns(np.eye(64))
    >>> found.name, found.cheapest.cells
    ('streaming', 64)
    """
    reader = tile_reader(matrix)
    query_offset = offset_of(matrix, query_offset)
    n_needles = whole_number("n_needles", n_needles, 0)
    keep = checked_share(keep)
    n_q, n_k = reader.shape
    repeats = None if tokens is None else Repeats.of(tokens, n_k, query_offset)
    within = (sizes or SetSizes()).within(n_q, n_k)
    marginals, needles, known = one_pass(
        reader, query_offset, within, n_needles, repeats, run, progress
    )
    lines, attention, crossings = divided(
        reader, marginals, known, repeats, run, progress
    )
    counted = float(attention.sum())
    shares = dict(zip(SETS, (attention / (counted or 1.0)).tolist(), strict=True))
    budgets = Budgets(marginals, crossings, keep).all()
    kept: dict[str, Kept] = {
        "sinks": Streaming(lines.sinks, 0),
        "local": Streaming(0, lines.window),
        "vertical": VerticalSlash(lines.keys, lines.offsets[:0]),
        "slash": VerticalSlash(lines.keys[:0], lines.offsets),
        "blocks": BlockSparse(lines.block, lines.blocks),
    }
    return HeadPatterns(
        pattern_name(marginals, budgets, shares),
        keep,
        budgets,
        shares,
        _alone(marginals, known.repeated + known.repeated_near),
        kept,
        marginals,
        needles,
    )


def checked_share(keep: float) -> float:
    """Return the share of attention that is to be kept.

    Raises
    ------
    TypeError, ValueError
        If it is not above 0 and up to 1.
    """
    keep = real_number("keep", keep)
    if not 0 < keep <= 1:
        raise ValueError(
            f"The 'keep' parameter must be above 0 and up to 1. Got {keep} instead."
        )
    return keep


def _alone(marginals: Marginals, repeated: float) -> dict[str, float]:
    sizes, received = marginals.sizes, marginals.received
    of_windows, _ = marginals.of_streaming(0)
    keys = marginals.top_keys(sizes.keys, sizes.sinks)
    offsets = marginals.top_offsets(sizes.offsets, sizes.window)
    blocks, _ = marginals.of_blocks()
    found = {
        "sinks": received[: sizes.sinks].sum(),
        "local": of_windows[min(sizes.window, len(of_windows) - 1)],
        "vertical": received[keys].sum(),
        "slash": marginals.by_offset[offsets - marginals.offsets[0]].sum(),
        "repeated": repeated,
        "blocks": blocks[min(sizes.blocks, len(blocks) - 1)],
    }
    total = marginals.total or 1.0
    return {name: float(attention) / total for name, attention in found.items()}
