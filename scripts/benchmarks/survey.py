"""A survey of all-MiniLM-L6-v2 beside transformers and NumPy, and by two processes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from baselines import Torch
from comparison import Comparison, Goal, Result, Settings
from machine import left_out, version
from model_forward import with_model
from timing import ProcessorTimed, Variant, timed

from attnviewer import models
from attnviewer.compute import Array

TEXTS, QUICK_TEXTS = 1000, 20
TOKENS, QUICK_TOKENS = 64, 12
ROUNDS = 2
SHARE_OF_TIME, TIMES_FASTER = Goal(1.2), Goal(1.7, at_least=True)
"""The goals: of the time of transformers, and by two processes."""
ONE, TWO = "attnviewer, one process", "attnviewer, two processes"
THEIRS = "transformers and NumPy, one thread"


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    count = QUICK_TEXTS if settings.quick else TEXTS
    return [
        Comparison(f"{count:,} texts of {n} tokens, {what}", partial(measure, n))
        for what, measure in (("one process", in_one), ("two processes", in_two))
    ]


@with_model
def in_one(n: int, folder: Path, settings: Settings) -> Result:
    """Measure one process beside transformers in one thread."""
    model = models.load(folder)
    texts = fixed_texts(model, n, QUICK_TEXTS if settings.quick else TEXTS)
    is_there = version("torch") and version("transformers")
    goal = SHARE_OF_TIME if is_there and not settings.quick else None
    ours = ProcessorTimed(lambda: models.survey(model, texts).mean)
    variants = [Variant(name=ONE, call=ours, goal=goal)]
    notes = [*left_out("torch", THEIRS), *left_out("transformers", THEIRS)]
    if is_there:
        attentions = Torch().attentions(folder)
        theirs = ProcessorTimed(lambda: means(model, attentions, texts))
        few = texts[:QUICK_TEXTS]
        apart = models.survey(model, few).mean - means(model, attentions, few)
        difference = float(np.abs(apart).max())
        variants.append(Variant(name=THEIRS, call=theirs, difference=difference))
    rows = timed(variants, _few_rounds(settings), beside=THEIRS if is_there else ONE)
    if is_there:
        share = ours.processor_seconds / theirs.processor_seconds
        notes.append(f"Of its processor time: {share:.2f}.")
    return Result(rows, notes)


@with_model
def in_two(n: int, folder: Path, settings: Settings) -> Result:
    """Measure two processes, their start included, beside one."""
    model = models.load(folder)
    texts = fixed_texts(model, n, QUICK_TEXTS if settings.quick else TEXTS)
    goal = None if settings.quick else TIMES_FASTER
    variants = [
        Variant(name=ONE, call=lambda: models.survey(model, texts)),
        Variant(
            name=TWO, call=lambda: models.survey(model, texts, workers=2), goal=goal
        ),
    ]
    rows = timed(variants, _few_rounds(settings), beside=ONE, faster=True)
    return Result(rows, ["Ratios say how many times faster."])


def fixed_texts(model: models.Model, n: int, count: int) -> list[str]:
    """Return texts of n tokens with the special ones, always the same."""
    vocabulary = np.array(model.names(range(1996, 29612)))
    words = vocabulary[[word.isascii() and word.isalpha() for word in vocabulary]]
    rng = np.random.default_rng(0)
    return [" ".join(rng.choice(words, n - 2)) for _ in range(count)]


def means(
    model: models.Model,
    attentions: Callable[[Sequence[int]], list[Array]],
    texts: Sequence[str],
) -> Array:
    """Return the mean statistics by transformers and NumPy, (metrics, layers, heads).

    A text at a time, as scripts of researchers have it.
    """
    assert model.tokenizer is not None
    total: Any = 0
    for text in texts:
        layers = attentions(model.tokenizer.encode(text).ids)
        total = total + np.stack([statistics(weights) for weights in layers], axis=1)
    whole: Array = total / len(texts)
    return whole


def statistics(weights: Array) -> Array:
    """Return the default metrics of a layer, shape (metrics, heads)."""
    n = weights.shape[-1]
    distances = np.abs(np.arange(n)[:, np.newaxis] - np.arange(n))  # (n, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.where(weights > 0, np.log2(weights), 0)  # (h, n, n)
    bits = -(weights * logarithms).sum(-1)  # (h, n)
    return np.stack(
        [
            bits.mean(-1),
            np.exp2(bits).mean(-1),
            (weights * distances).sum(-1).mean(-1),
            weights[:, :, 0].mean(-1),
            np.diagonal(weights, -1, 1, 2).mean(-1),
            np.diagonal(weights, 0, 1, 2).mean(-1),
        ]
    )


def _few_rounds(settings: Settings) -> Settings:
    return replace(settings, rounds=settings.rounds or ROUNDS)
