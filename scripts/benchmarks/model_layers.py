"""All layers of models with all their weights of attention, beside transformers."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from baselines import Torch
from comparison import Comparison, Goal, Result, Settings
from gpt2_file import QUICK_SIZES, SIZES, write_gpt2
from machine import left_out, version
from model_forward import fixed_ids, with_model
from numpy.typing import NDArray
from timing import ProcessorTimed, Variant, largest_difference, timed

from attnviewer import models
from attnviewer.compute import Array

TOKENS, QUICK_TOKENS = (32, 128, 512), 12
SHARE_OF_TIME = Goal(1.2)
"""The goal: of transformers' time."""
OURS, THEIRS = "attnviewer", "transformers eager"


def comparisons(settings: Settings) -> list[Comparison]:
    return [
        Comparison(f"{name}, {n} tokens, all weights", partial(measure, n))
        for name, measure in (
            ("all-MiniLM-L6-v2", minilm),
            ("a model of GPT-2's sizes", gpt2),
        )
        for n in settings.lengths(TOKENS, QUICK_TOKENS)
    ]


@with_model
def minilm(n: int, folder: Path, settings: Settings) -> Result:
    """Measure a model that people use."""
    return layers(folder, fixed_ids(n), settings)


def gpt2(n: int, settings: Settings) -> Result:
    """Measure random weights, which a temporary file holds."""
    sizes = QUICK_SIZES if settings.quick else SIZES
    ids = np.random.default_rng(0).integers(sizes["vocab_size"], size=n)
    with TemporaryDirectory() as folder:
        write_gpt2(Path(folder), sizes)
        return layers(Path(folder), ids, settings)


def layers(folder: Path, ids: NDArray[np.intp], settings: Settings) -> Result:
    """Measure the last hidden states and the weights of every layer together."""
    model = models.load(folder)

    def run() -> dict[str, Array]:
        run = model.run(ids)
        attention = [run.attention(layer) for layer in range(model.n_layers)]
        weights = {str(layer): own["weights"] for layer, own in enumerate(attention)}
        return {"last": run.hidden_states[-1], **weights}

    is_there = version("torch") and version("transformers")
    goal = SHARE_OF_TIME if is_there and not settings.quick else None
    ours = ProcessorTimed(run)
    variants = [Variant(name=OURS, call=ours, goal=goal)]
    notes = [*left_out("torch", THEIRS), *left_out("transformers", THEIRS)]
    if not is_there:
        return Result(timed(variants, settings, beside=OURS), notes)
    eager = Torch().eager(folder)
    theirs = ProcessorTimed(lambda: eager(ids))
    difference = largest_difference(run(), _named(eager(ids)))
    variants.append(Variant(name=THEIRS, call=theirs, difference=difference))
    rows = timed(variants, settings, beside=THEIRS)
    own, others = (np.array(row.times_ms) for row in rows)
    low, high = np.quantile(own / others, (0.25, 0.75))
    processor = ours.processor_seconds / theirs.processor_seconds
    notes += [
        f"Ratios are shares of the time of {THEIRS}; half of the rounds have one of "
        f"{low:.2f} to {high:.2f}.",
        f"Of its processor time: {processor:.2f}.",
    ]
    return Result(rows, notes)


def _named(found: Any) -> dict[str, Array]:
    weights = {str(k): own[0].numpy() for k, own in enumerate(found.attentions)}
    return {"last": found.last_hidden_state[0].numpy(), **weights}
