"""Long sequences: the exact overview and the output, beside torch and a notebook."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
from baselines import Torch, notebook
from comparison import Comparison, Goal, Result, Row, Settings
from machine import left_out, version
from timing import Variant, largest_difference, timed

from attnviewer.compute import Array, IncrementalEngine, Spec
from attnviewer.compute.engine import storing

SPEC = Spec(projected=False, given=True, causal=True)
TOKENS, QUICK_TOKENS, WIDTH = 16_384, 64, 64
TIME_OF_TORCH = Goal(1.5)
"""Of the time that torch takes for the output alone."""
TIMES_FASTER, SHARE_OF_MEMORY = Goal(5.0, at_least=True), Goal(1 / 50)
OURS, FUSED, NOTEBOOK, EDIT = (
    "overview and output",
    "torch, fused, output alone",
    "NumPy notebook",
    "edit of one token",
)
MIB = 2**20

_GROWTH = """
import runpy, sys
from pathlib import Path
sys.path.insert(0, str(Path(sys.argv[1]).parent))
module = runpy.run_path(sys.argv[1])

def kib(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

arrays = module["inputs"](int(sys.argv[3]))
module[sys.argv[2]](module["inputs"](64))  # which loads what is loaded once
Path("/proc/self/clear_refs").write_text("5")  # the peak from now on
before = kib("VmRSS:")
kept = module[sys.argv[2]](arrays)
print(kib("VmHWM:") - before)
"""


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((TOKENS,), QUICK_TOKENS)
    storing.MOST_STORED = 0  # short sequences take the way of long ones, too
    sizes = f"{n:,} tokens, causal, d {WIDTH}"
    return [
        Comparison(f"{sizes}, beside torch", partial(beside_torch, n)),
        Comparison(f"{sizes}, beside a notebook", partial(beside_notebook, n)),
        Comparison(f"{sizes}, peak of memory", partial(remembered, n)),
        Comparison(f"{sizes}, an edit beside all anew", partial(edited, n)),
    ]


def inputs(n: int) -> dict[str, Array]:
    """Return queries, keys and values in single precision, each (n, d)."""
    random = np.random.default_rng(0)
    return {
        name: random.normal(size=(n, WIDTH)).astype(np.float32)
        for name in ("Q", "K", "V")
    }


def computed(arrays: dict[str, Array]) -> IncrementalEngine:
    """Compute the exact overview of the weights, and the output."""
    engine = IncrementalEngine(SPEC, arrays, np.float32)
    read(engine)
    return engine


def read(engine: IncrementalEngine) -> None:
    """Read an overview to the end, and the output."""
    overview = engine.overview("weights")
    if overview.share < 1:
        for _ in overview.reading():
            pass
    engine.window("output")


def highest(engine: IncrementalEngine) -> Array:
    """Return the largest weights of the blocks, 0 where all are masked."""
    return engine.overview("weights").extremes.highs.clip(min=0)


def written(arrays: dict[str, Array]) -> tuple[Array, Array]:
    """Return weights and output as a notebook computes them, and its overview."""
    n = len(arrays["Q"])
    hidden = np.triu(np.ones((n, n), bool), 1)
    weights, output = notebook(arrays["Q"], arrays["K"], arrays["V"], hidden)
    block = -(-n // 1024)
    edge = range(0, n, block)
    pooled = np.maximum.reduceat(np.maximum.reduceat(weights, edge), edge, axis=1)
    return pooled, output


def beside_torch(n: int, settings: Settings) -> Result:
    """Measure beside the output alone."""
    arrays = inputs(n)
    variants = [Variant(name=OURS, call=partial(computed, arrays))]
    if version("torch"):
        torch = Torch()
        q, k, v = (torch.tensor(array)[None] for array in arrays.values())
        fused = partial(torch.fused, q, k, v, causal=True)
        theirs = fused()[0][0].numpy()
        ours = computed(arrays).window("output")
        variants[0].difference = largest_difference({"": ours}, {"": theirs})
        variants[0].goal = None if settings.quick else TIME_OF_TORCH
        variants.append(Variant(name=FUSED, call=fused))
    beside = FUSED if version("torch") else OURS
    notes = [f"Ratios are shares of the time of {beside}.", *left_out("torch", FUSED)]
    return Result(timed(variants, settings, beside=beside), notes)


def beside_notebook(n: int, settings: Settings) -> Result:
    """Measure beside weights that are stored."""
    arrays = inputs(n)
    pooled, output = written(arrays)
    engine = computed(arrays)
    difference = max(
        largest_difference({"": engine.window("output")}, {"": output}),
        largest_difference({"": highest(engine)}, {"": pooled}),
    )
    del engine, pooled, output
    goal = None if settings.quick else TIMES_FASTER
    variants = [
        Variant(
            name=OURS, call=partial(computed, arrays), difference=difference, goal=goal
        ),
        Variant(name=NOTEBOOK, call=partial(written, arrays)),
    ]
    rows = timed(variants, settings, beside=NOTEBOOK, faster=True)
    return Result(rows, [f"Ratios are how many times faster than {NOTEBOOK}."])


def remembered(n: int, settings: Settings) -> Result:
    """Measure by how much a process grows."""
    if not Path("/proc/self/clear_refs").exists():
        return Result([], ["Left out: only Linux tells the peak of memory in time."])
    grown = {name: growth(name, n) for name in ("computed", "written")}
    share = grown["computed"] / grown["written"]
    row = Row(name=OURS, mebibytes=grown["computed"] / MIB, share=share)
    if not settings.quick:
        row.goal = str(SHARE_OF_MEMORY)
        row.verdict = SHARE_OF_MEMORY.verdict(share)
    return Result([Row(name=NOTEBOOK, mebibytes=grown["written"] / MIB), row], [])


def growth(name: str, n: int) -> int:
    """Return the bytes by which a process grows that calls a function of this file."""
    command = [sys.executable, "-c", _GROWTH, __file__, name, str(n)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return max(1, int(done.stdout)) * 1024


def edited(n: int, settings: Settings) -> Result:
    """Measure an edit of one token, up to the exact overview and the output."""
    arrays = inputs(n)
    engine = computed(arrays)
    random = np.random.default_rng(1)

    def edit() -> None:
        row = int(random.integers(n))
        here = slice(row, row + 1), slice(0, WIDTH)
        for name, array in arrays.items():
            array[here] = random.normal(size=(1, WIDTH))
            engine.edit(name, here)
        read(engine)

    edit()
    fresh = computed(arrays)
    difference = largest_difference(
        {"": engine.window("output")}, {"": fresh.window("output")}
    )
    variants = [
        Variant(name=EDIT, call=edit, difference=difference),
        Variant(name=OURS, call=partial(computed, arrays)),
    ]
    rows = timed(variants, settings, beside=OURS)
    return Result(rows, [f"Ratios are shares of the time of {OURS}."])
