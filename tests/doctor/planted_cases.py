"""The planted implementations of the benchmark, which know nothing of attnviewer."""

import importlib.util
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2] / "scripts" / "benchmarks"


def _load(name):
    file = BENCHMARKS / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where data classes and the other module look
    spec.loader.exec_module(module)
    return module


shapes = _load("planted_shapes")
planted = _load("planted")
GIVEN = {"all": (), "ends": ("weights", "output"), "output": ("output",)}


def some(steps, what):
    """Return what the doctor is given of an implementation's steps."""
    return {name: steps[name] for name in GIVEN[what] or steps}
