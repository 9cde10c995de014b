"""Mistakes in sinusoidal encodings and in ALiBi."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Part
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Numbers, Plan
from attnviewer.compute.positions import Alibi, Sinusoidal, sinusoidal_encoding
from attnviewer.compute.stages import AddBias


def _encoded(
    change: Callable[[Numbers, int], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what varies the table of encodings, given it and its first position."""

    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = plan.spec.positions
        if isinstance(scheme, Sinusoidal):
            offset = scheme.offset
            yield Variation(plan.then("P", lambda table: change(table, offset)))

    return vary


def _in_halves(table: Numbers, _offset: int) -> Numbers:
    return np.concatenate([table[:, ::2], table[:, 1::2]], axis=-1)


def _from_one(table: Numbers, offset: int) -> Numbers:
    return sinusoidal_encoding(*table.shape, offset=offset + 1)


def _slopes(plan: Plan) -> Numbers | None:
    stage = plan.stages.get("biased")
    return stage.slopes if isinstance(stage, AddBias) else None


def _with_slopes(plan: Plan, slopes: Numbers) -> Plan:
    right = plan.stages["biased"]
    assert isinstance(right, AddBias)
    stage = AddBias(
        right.inputs[0],
        given=len(right.inputs) == 2,
        alibi_heads=len(slopes),
        query_offset=right.query_offset,
        n_keys=right.n_keys,
    )
    stage.slopes = slopes
    return plan.computing("biased", lambda *arrays: stage.forward(Part(), *arrays))


def _sloped(
    change: Callable[[Numbers], Numbers],
) -> Callable[[Plan], Iterator[Variation]]:
    def vary(plan: Plan) -> Iterator[Variation]:
        slopes = _slopes(plan)
        if isinstance(plan.spec.positions, Alibi) and slopes is not None:
            yield Variation(_with_slopes(plan, change(slopes)))

    return vary


def _geometric(slopes: Numbers) -> Numbers:
    count = len(slopes)
    return 2.0 ** (-8 * np.arange(1, count + 1) / count)


def _before_scale(plan: Plan) -> Iterator[Variation]:
    slopes = _slopes(plan)
    stage = plan.stages.get("scaled")
    if isinstance(plan.spec.positions, Alibi) and slopes is not None and stage:
        factor = float(plan["scaled"].compute(np.ones((1, 1)))[0, 0])
        yield Variation(_with_slopes(plan, slopes * factor))


MISTAKES = (
    Mistake(
        "sinusoidal-halves",
        "Sines and cosines are in halves instead of alternating",
        _encoded(_in_halves),
        "The first half of the columns has the sines and the second the cosines; "
        "in the paper they alternate.",
        Remedy("torch.cat([sin, cos], -1)", "torch.stack([sin, cos], -1).flatten(-2)"),
        Remedy("np.concatenate([sin, cos], -1)", "p[:, ::2], p[:, 1::2] = sin, cos"),
        "Vaswani et al. 2017, section 3.5; tensor2tensor's code has halves",
        kind="convention",
    ),
    Mistake(
        "positions-from-one",
        "Positions count from 1",
        _encoded(_from_one),
        "The first token has position 1 instead of 0.",
        Remedy("torch.arange(1, n + 1)", "torch.arange(n)"),
        Remedy("np.arange(1, n + 1)", "np.arange(n)"),
        "Vaswani et al. 2017, section 3.5",
    ),
    Mistake(
        "alibi-slopes-plain",
        "ALiBi's slopes are wrong for a number of heads that is no power of two",
        _sloped(_geometric),
        "The slopes are powers of 2^(−8/h); for other numbers of heads than powers of "
        "two the authors take those of the next power below and every other between.",
        Remedy("2 ** (-8 * torch.arange(1, h + 1) / h)", "get_slopes(h)"),
        Remedy("2 ** (-8 * np.arange(1, h + 1) / h)", "attnviewer.alibi_slopes(h)"),
        "Press et al. 2022, the authors' code",
    ),
    Mistake(
        "alibi-slopes-reversed",
        "ALiBi's slopes are in reverse order",
        _sloped(lambda slopes: slopes[::-1]),
        "The first head has the flattest slope instead of the steepest.",
        Remedy("slopes.flip(0)", "slopes"),
        Remedy("slopes[::-1]", "slopes"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-sign",
        "ALiBi's biases have the other sign",
        _sloped(lambda slopes: -slopes),
        "Scores grow with the distance instead of falling.",
        Remedy("scores + slopes * (i - j)", "scores - slopes * (i - j)"),
        Remedy("scores + slopes * (i - j)", "scores - slopes * (i - j)"),
        "Press et al. 2022, section 3",
    ),
    Mistake(
        "alibi-scaled",
        "ALiBi's biases are scaled with the scores",
        _before_scale,
        "The biases are added before the scores are divided by √d_k.",
        Remedy("(scores + bias) / math.sqrt(d)", "scores / math.sqrt(d) + bias"),
        Remedy("(scores + bias) / np.sqrt(d)", "scores / np.sqrt(d) + bias"),
        "Press et al. 2022, section 3",
    ),
)
