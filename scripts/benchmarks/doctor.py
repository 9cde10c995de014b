"""How often the doctor names planted mistakes or accuses right code, and how fast.

The implementations are those of `planted`, which know nothing of attnviewer.
"""

from functools import partial
from time import perf_counter

import numpy as np
from comparison import Comparison, Goal, Result, Row, Settings
from planted import attend
from planted_shapes import SHAPES, Array, Shape, inputs_of, slips_of

from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.reading import read_case

GIVEN: dict[str, tuple[str, ...]] = {
    "all steps": (),
    "weights and output": ("weights", "output"),
    "the output alone": ("output",),
}
"""What the doctor is given; () for every step."""
NAMED = {"all steps": 0.97, "weights and output": 0.95, "the output alone": 0.85}
PAIRS = 0.80
COUNT, PAIR_COUNT, RIGHT_COUNT, QUICK_COUNT = 390, 117, 1000, 13
UNKNOWN, UNKNOWN_COUNT = "unknown", 39
SECONDS = {64: 2.0, 1024: 10.0}
"""The goals: shares that are named, and seconds by the number of tokens, 8 heads."""


def comparisons(settings: Settings) -> list[Comparison]:
    return [
        Comparison("one planted mistake, named first", partial(_named, 1)),
        Comparison("two planted mistakes, among the first three", partial(_named, 2)),
        Comparison("right implementations, not accused", _right),
        Comparison("unknown mistakes, not named", _unknown),
        *(
            Comparison(
                f"seconds until the answer, {n} tokens, 8 heads", partial(_timed, n)
            )
            for n in settings.lengths(tuple(SECONDS), 12)
        ),
    ]


def _named(together: int, settings: Settings) -> Result:
    generator = np.random.default_rng(together)
    count = COUNT if together == 1 else PAIR_COUNT
    count = QUICK_COUNT if settings.quick else count
    found: dict[str, list[bool]] = {name: [] for name in GIVEN}
    missed = []
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        what = list(GIVEN)[(number + number // len(SHAPES)) % len(GIVEN)]
        given = inputs_of(shape, generator)
        slips = list(generator.choice(slips_of(shape), together, replace=False))
        steps = attend(shape, given, slips)
        if _same(steps, attend(shape, given, [])):
            continue  # these inputs do not show it
        slips = _seen(shape, given, steps, slips)
        diagnosis = _diagnosed(shape, given, steps, what)
        most = 1 if together == 1 else 3
        named = [i for finding in diagnosis.findings[:most] for i in finding.ids]
        hit = all(slip in named for slip in slips)
        found[what].append(hit)
        if not hit:
            missed.append(f"{what}: {' and '.join(slips)}, got {named}")
    rows = []
    for what, hits in found.items():
        goal = Goal(NAMED[what] if together == 1 else PAIRS, at_least=True)
        share = float(np.mean(hits)) if hits else None
        verdict = "" if share is None or settings.quick else goal.verdict(share)
        rows.append(Row(name=what, share=share, goal=str(goal), verdict=verdict))
    return Result(rows, missed)


def _right(settings: Settings) -> Result:
    generator = np.random.default_rng(3)
    count = QUICK_COUNT if settings.quick else RIGHT_COUNT
    accused: dict[str, list[bool]] = {}
    notes = []
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        name, steps, given = _in_precision(shape, number, generator)
        what = list(GIVEN)[number % len(GIVEN)]
        diagnosis = _diagnosed(shape, given, steps, what)
        accused.setdefault(name, []).append(not diagnosis.agrees)
        if not diagnosis.agrees:
            notes.append(f"{name}, {what}: {diagnosis.findings or 'unexplained'}")
    goal = Goal(0.0)
    return Result(
        [
            Row(
                name=f"{name}, accused of {len(flags)}",
                share=float(np.mean(flags)),
                goal=str(goal),
                verdict=goal.verdict(float(np.mean(flags))),
            )
            for name, flags in accused.items()
        ],
        notes,
    )


def _timed(n: int, settings: Settings) -> Result:
    shape = Shape(n, 16 if settings.quick else 512, 8, 8, causal=True, positions="rope")
    generator = np.random.default_rng(n)
    given = inputs_of(shape, generator)
    rows = []
    goal = Goal(SECONDS.get(n, 2.0))
    slips = "scale-missing", "rope-keys-missing", "softmax-over-queries", "", UNKNOWN
    for slip in slips:
        known = [slip] if slip not in ("", UNKNOWN) else []
        steps = attend(shape, given, known)
        if slip == UNKNOWN:
            steps = _with_noise(steps, generator)
        for what in GIVEN:
            begun = perf_counter()
            diagnosis = _diagnosed(shape, given, steps, what)
            seconds = perf_counter() - begun
            assert diagnosis.agrees == (not slip)
            assert slip != UNKNOWN or not diagnosis.findings
            rows.append(
                Row(
                    name=f"{slip or 'right'}, {what}",
                    median_ms=1e3 * seconds,
                    goal=f"{goal} s",
                    verdict="" if settings.quick else goal.verdict(seconds),
                    times_ms=[1e3 * seconds],
                )
            )
    return Result(rows, [])


def _with_noise(
    steps: dict[str, Array], generator: np.random.Generator
) -> dict[str, Array]:
    """Return steps that no mistake explains, right up to the scores."""
    found = dict(steps)
    for name in ("weights", "heads", "concatenated", "output"):
        found[name] = steps[name] + 0.01 * generator.normal(size=steps[name].shape)
    return found


def _unknown(settings: Settings) -> Result:
    """Return how often what no mistake explains is given a name."""
    generator = np.random.default_rng(4)
    count = QUICK_COUNT if settings.quick else UNKNOWN_COUNT
    named: list[bool] = []
    notes = []
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        given = inputs_of(shape, generator)
        steps = _with_noise(attend(shape, given, []), generator)
        what = list(GIVEN)[(number + number // len(SHAPES)) % len(GIVEN)]
        diagnosis = _diagnosed(shape, given, steps, what)
        named.append(bool(diagnosis.findings))
        if diagnosis.findings:
            notes.append(f"{what}: got {diagnosis.findings[0].ids}")
    goal = Goal(0.0)
    share = float(np.mean(named))
    row = Row(
        name=f"named, of {count}",
        share=share,
        goal=str(goal),
        verdict=goal.verdict(share),
    )
    return Result([row], notes)


def _diagnosed(
    shape: Shape, given: dict[str, Array], steps: dict[str, Array], what: str
) -> Diagnosis:
    names = GIVEN[what] or tuple(steps)
    mine = {name: steps[name] for name in names}
    return diagnose_case(read_case(given, mine, **shape.options()))


def _seen(
    shape: Shape, given: dict[str, Array], steps: dict[str, Array], slips: list[str]
) -> list[str]:
    """Return the mistakes that show; one of two may hide the other."""
    without = {s: attend(shape, given, [o for o in slips if o != s]) for s in slips}
    shown = [slip for slip in slips if not _same(steps, without[slip])]
    return shown or slips[:1]


def _same(steps: dict[str, Array], right: dict[str, Array]) -> bool:
    return all(
        np.allclose(steps[name], right[name], rtol=1e-6, equal_nan=True)
        for name in ("weights", "output")
    )


def _in_precision(
    shape: Shape, number: int, generator: np.random.Generator
) -> tuple[str, dict[str, Array], dict[str, Array]]:
    """Return right steps that were computed in some precision, and their inputs."""
    given = inputs_of(shape, generator)
    name = ("float64", "float32", "float16", "bfloat16")[number % 4]
    rounded = {key: _rounded(array, name) for key, array in given.items()}
    with np.errstate(all="ignore"):
        steps = attend(shape, rounded, [], each=partial(_rounded, name=name))
    return name, steps, given


def _rounded(array: Array, name: str) -> Array:
    """Return numbers in a precision; those of bfloat16 as float32."""
    if array.dtype.kind != "f":
        return array
    if name != "bfloat16":
        return array.astype(name)
    bits = array.astype(np.float32).view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    kept = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
    shorter = kept.view(np.float32)
    return np.where(np.isfinite(array), shorter, array).astype(np.float32)
