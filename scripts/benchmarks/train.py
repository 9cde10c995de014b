"""Training steps beside PyTorch's autograd and torch.optim, and in the window."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from machine import import_optional, left_out, version
from timing import Variant, timed

from attnviewer import tasks, train
from attnviewer.compute import Array, Spec
from attnviewer.document import Document

TOKENS, QUICK_TOKENS = 16, 6
WIDTH, HEADS, STEPS, RATE = 64, 4, 100, 1e-3
"""Columns of X, heads, steps of one round, and the learning rate."""
SHARE_OF_TIME, ROUND_MS = Goal(1 / 0.8), Goal(1e3 * STEPS / 1000)
"""The goals: 0.8 of torch's rate, and 1,000 steps a second."""
TOLERANCE = 1e-9
"""How far the losses may lie apart, relative to each."""
FREE = ("W_Q", "W_K", "W_V", "W_O")
OURS, THEIRS = "attnviewer.train", "torch"


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    size = f"{n} tokens x {WIDTH}, {HEADS} heads, float64"
    return [
        Comparison(f"{STEPS} steps of Adam, {size}", partial(measure, n)),
        Comparison(f"Adam in the window, {size}", partial(in_window, n)),
    ]


def in_window(n: int, settings: Settings) -> Result:
    """Measure steps that all views of the main window follow."""
    # Qt is loaded for these alone.
    from trained_window import Learned, measure_window

    return measure_window(lambda: Learned(*_task(n), FREE, RATE), settings)


def measure(n: int, settings: Settings) -> Result:
    document, target = _task(n)
    runs = {OURS: partial(_ours, document, target)}
    if version("torch"):
        runs[THEIRS] = partial(_torchs, document, target)
    losses = {name: np.array(run()()) for name, run in runs.items()}
    beside = THEIRS if THEIRS in runs else OURS
    apart = float(np.abs(losses[OURS] / losses[beside] - 1).max())
    if not apart <= TOLERANCE:
        raise ValueError(f"The losses lie {apart:.1e} apart.")
    prepared: dict[str, Callable[[], Any]] = {}

    def prepare(name: str) -> None:
        prepared[name] = runs[name]()

    def variant(name: str) -> Variant:
        return Variant(
            name=name,
            call=lambda: prepared[name](),
            before=partial(prepare, name),
            difference=apart if name == beside else None,
        )

    rows = timed([variant(name) for name in runs], settings, beside=beside)
    ours = rows[0]
    if not settings.quick:
        goals = {ROUND_MS: ours.median_ms or 0}
        if beside == THEIRS:
            goals[SHARE_OF_TIME] = ours.ratio_of_medians or 0
        ours.goal = f"{ROUND_MS} ms" + f", {SHARE_OF_TIME}" * (len(goals) - 1)
        met = all(goal.verdict(n) == "met" for goal, n in goals.items())
        ours.verdict = "met" if met else "missed"
    rate = 1e3 * STEPS / (ours.median_ms or 1)
    notes = [
        f"Ratios are shares of the time of {beside}.",
        f"Steps a second, at the median: {rate:,.0f}.",
        *left_out("torch", THEIRS),
    ]
    return Result(rows, notes)


def _task(n: int) -> tuple[Document, Array]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, WIDTH))
    matrices = {name: rng.normal(size=(WIDTH, WIDTH)) / WIDTH**0.5 for name in FREE}
    spec = Spec(n_heads=HEADS, output_projection=True)
    document = Document("Train", map(str, range(n)), {"X": x, **matrices}, spec)
    return document, rng.normal(size=x.shape)


def _ours(document: Document, target: Array) -> Callable[[], list[float]]:
    """Return what trains the document anew."""
    training = train(
        document, tasks.match("output", target), free=FREE, lr=RATE, steps=STEPS
    )
    return lambda: [step.loss for step in training]


def _torchs(document: Document, target: Array) -> Callable[[], list[float]]:
    """Return what does the same in torch."""
    torch = import_optional("torch")
    # Kindly to it: with more, its threads mostly wait for one another at this size.
    torch.set_num_threads(1)
    x, wanted = torch.tensor(document.matrix("X")), torch.tensor(target)
    weights = [torch.tensor(document.matrix(n), requires_grad=True) for n in FREE]
    optimizer = torch.optim.Adam(weights, lr=RATE)

    def step() -> float:
        w_q, w_k, w_v, w_o = weights
        q, k, v = (
            (x @ w).unflatten(-1, (HEADS, -1)).transpose(0, 1) for w in (w_q, w_k, w_v)
        )
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5
        output = (scores.softmax(-1) @ v).transpose(0, 1).flatten(-2) @ w_o
        loss = torch.nn.functional.mse_loss(output, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return float(loss.item())

    def steps() -> list[float]:
        with torch.enable_grad():  # which other benchmarks switch off
            return [step() for _ in range(STEPS)]

    return steps
