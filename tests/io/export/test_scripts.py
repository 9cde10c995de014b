"""Scripts run by themselves, compute the same numbers, and notice others."""

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from inspect import isabstract
from typing import Any

import numpy as np
import pytest

from attnviewer import __version__
from attnviewer.compute import Spec, Stage, run, stages
from attnviewer.compute.masks import Mask
from attnviewer.compute.notation import NUMPY
from attnviewer.document import Document, Labels, Region
from attnviewer.io import load
from attnviewer.io.export import ALL_STEPS, Choice, Computation, export
from attnviewer.io.export.program import dialect
from attnviewer.io.export.program.mask_code import _tests
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.program import build_program
from attnviewer.io.export.program.stage_code import stage_code
from tests.io.export.computations import EVERY, computation
from tests.io.export.running import run_alone

FIRST_NUMBER = re.compile(r"(\[\s*)(-?[0-9]+\.[0-9e+-]+)")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """Write the scripts of every computation."""
    folder = tmp_path_factory.mktemp("scripts")
    paths = {}
    for place, name in enumerate(EVERY):
        paths[name] = folder / f"{place}.py"
        export(computation(name), paths[name], "py")
    return paths


@pytest.fixture(scope="module")
def results(scripts):
    return dict(zip(scripts, run_alone(list(scripts.values())), strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_a_script_computes_every_step_alike_with_numpy_alone(name, results) -> None:
    error, said = results[name]
    assert error is None, said
    trace = computation(name).trace
    computed = [step for step, stage in trace.stages.items() if stage.inputs]
    checked = [line for line in said.splitlines() if line.endswith(": as expected")]
    assert checked == [f"{step}: as expected" for step in computed]


def test_no_variable_within_a_step_is_named_like_a_step() -> None:
    computations = [computation(name) for name in EVERY]
    steps = {variable(step) for c in computations for step in c.trace.stages}
    for given in computations:
        for library in (dialect.NUMPY, dialect.TORCH):
            for part in build_program(given, ALL_STEPS, library).steps:
                assigned = {
                    node.id
                    for node in ast.walk(ast.parse(part.code))
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                }
                assert assigned & steps <= {variable(part.step)}, part.code


@pytest.fixture(scope="module")
def corrupted(scripts, tmp_path_factory):
    """Run every script with one number of its inputs a little off."""
    folder = tmp_path_factory.mktemp("corrupted")
    paths = []
    for name, path in scripts.items():
        text = path.read_text(encoding="utf-8")
        start = text.index("# What is given.")
        found = FIRST_NUMBER.search(text, start)
        number = float(found[2]) + (0.5 if name == "half precision" else 0.001)
        text = f"{text[: found.start(2)]}{number!r}{text[found.end(2) :]}"
        paths.append(folder / path.name)
        paths[-1].write_text(text, encoding="utf-8")
    return dict(zip(scripts, run_alone(paths), strict=True))


@pytest.mark.parametrize("name", EVERY)
def test_a_script_fails_if_an_input_is_not_the_one_it_was(name, corrupted) -> None:
    assert corrupted[name][0] == "AssertionError"


def test_a_script_ends_with_0_and_a_corrupted_one_does_not(tmp_path) -> None:
    path = tmp_path / "journey.py"
    export(Computation.of(load("example:journey")), path, "py")
    command = [sys.executable, "-I", str(path)]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[0.43, 0.15, 0.89]", "[0.43, 0.16, 0.89]"), "utf-8")
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 1
    assert b"scores" in done.stderr


def test_the_runner_of_these_tests_refuses_other_packages(tmp_path) -> None:
    path = tmp_path / "imports.py"
    path.write_text("import attnviewer", encoding="utf-8")
    assert run_alone([path])[0][0] == "ImportError"


def test_scripts_of_both_libraries_have_names_of_their_own_in_a_folder(
    tmp_path,
) -> None:
    computation = Computation.of(load("example:journey"))
    paths = [
        *export(computation, tmp_path, "py"),
        *export(computation, tmp_path, "torch"),
    ]
    assert len(set(paths)) == 2
    assert "import numpy" in paths[0].read_text(encoding="utf-8")
    assert "import torch" in paths[1].read_text(encoding="utf-8")
    assert paths[1].name.endswith(".torch.py")


@pytest.mark.parametrize("sign", ["я", "日", "𠀀"])
def test_a_title_of_long_signs_gives_a_name_that_fits(tmp_path, sign: str) -> None:
    title = sign * 100
    computation = Computation.of(load("example:journey"))
    computation = Computation(title, computation.labels, computation.trace)
    (path,) = export(computation, tmp_path, "torch")
    assert title.startswith(path.name.removesuffix(".torch.py"))
    assert len(path.name) > 50


def test_a_script_says_what_it_computes(tmp_path) -> None:
    path = tmp_path / "two.py"
    export(Computation.of(load("example:two-heads")), path, "py")
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert told.startswith("Two heads with a causal mask\n")
    version = f"attnviewer: {__version__}"
    for line in (version, "variant: multi_head", "scale: 1/sqrt(d_k)", "causal: yes"):
        assert line in told.splitlines()


def test_inputs_read_back_bit_for_bit(tmp_path) -> None:
    rng = np.random.default_rng(1)
    small = rng.normal(size=(3, 4)) * 10.0 ** rng.integers(-300, 100, (3, 4))
    small[0, 0] = -0.0
    large = rng.normal(size=(50, 60))
    bias, mask = np.full((3, 50), -np.inf), rng.random((3, 50)) < 0.5
    bias[:, 0], mask[:, 0] = 0.1, True
    wide = np.tile(mask, (1, 1))
    spec = Spec(projected=False, given=True, score="general", bias=True, mask=True)
    inputs = {"Q": small, "K": large, "V": large, "w": rng.normal(size=(4, 60))}
    trace = run(spec, {**inputs, "bias": bias, "mask": wide})
    path = tmp_path / "bits.py"
    labels = Labels(("a", "b", "c"), tuple(map(str, range(50))))
    export(Computation("Bits", labels, trace), path, "py")
    code = path.read_text(encoding="utf-8").partition("# The computation")[0]
    names: dict[str, np.ndarray] = {}
    exec(code, names)
    for name in spec.input_names:
        assert names[name].dtype == trace[name].dtype
        assert names[name].tobytes() == trace[name].tobytes()
    assert "# 'b'" in code


def test_the_smallest_numbers_are_compared_as_closely_as_they_are_known(
    tmp_path,
) -> None:
    x = np.array([[5e-324, -5e-324], [5e-324, 0.0]])
    document = Document("Small", ["a", "b"], {"X": x}, Spec(projected=False))
    (path,) = export(Computation.of(document), tmp_path, "py")
    assert run_alone([path])[0][0] is None


def test_no_text_of_a_document_is_run(tmp_path) -> None:
    evil = '"""\nraise SystemExit(7)\n"""\\'
    tokens = [evil, "\u202e\udc80\x00", "🙂 #", "'; raise SystemExit(8)\r"]
    document = Document(evil, tokens, {"X": np.eye(4)}, Spec(projected=False))
    path = tmp_path / "evil.py"
    export(Computation.of(document), path, "py")
    ((error, said),) = run_alone([path])
    assert error is None, said
    assert "🙂 #" in said


@pytest.mark.parametrize(
    ("choice", "shown", "computed"),
    [
        (Choice(("Q",)), "Q [0]", ["Q"]),
        (Choice(("scaled",), head=1), "scaled, head 1", ["Q", "K", "scores", "scaled"]),
        (Choice(("K",), 0, Region(1, 2, 2, 2)), "K, head 0[1:3, 2:4]", ["K"]),
    ],
)
def test_what_is_chosen_is_printed_with_what_it_follows_from(
    choice, shown, computed, tmp_path
) -> None:
    path = tmp_path / "part.py"
    export(Computation.of(load("example:two-heads")), path, "py", choice)
    ((error, said),) = run_alone([path])
    assert error is None, said
    checks, _, printed = said.partition("\n\n")
    assert checks.splitlines() == [f"{step}: as expected" for step in computed]
    assert printed.startswith(f"{shown}\n")


def test_cells_are_printed_with_their_tokens(tmp_path) -> None:
    path = tmp_path / "cells.py"
    choice = Choice(("weights",), 0, Region(1, 0, 1, 2))
    export(Computation.of(load("example:two-heads")), path, "py", choice)
    ((_, said),) = run_alone([path])
    assert [line.split() for line in said.splitlines()[-2:]] == [
        ["The", "cat"],
        ["cat", "0.9890", "0.0110"],
    ]


def _kinds(base: type) -> set[str]:
    below = {name for near in base.__subclasses__() for name in _kinds(near)}
    # Stages with pins are of the kind that they pin; with mistakes there is no program.
    others = [f"attnviewer.compute.stages.{name}" for name in ("pinned", "altered")]
    own = base.__module__.startswith("attnviewer") and not isabstract(base)
    own = own and base.__module__ not in others
    return below | {base.__name__} if own else below


def _written(function: Any) -> set[str]:
    return {kind.__name__ for kind in function.registry if kind is not object}


def test_every_kind_of_stage_and_of_rule_has_its_code() -> None:
    assert _written(stage_code) == _kinds(Stage) - {
        *("ColumnSum", "Given", "Normalize", "NormalizeWithSinks"),
    }
    assert _written(_tests) == _kinds(Mask)


def test_a_stage_without_code_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="a step of Given"):
        stage_code(stages.Given("X"), None, NUMPY)


def test_scores_beyond_the_range_are_refused(tmp_path) -> None:
    huge = {"X": [[1e200, 0.0], [0.0, 1.0]]}
    document = Document("Huge", ["a", "b"], huge, Spec(projected=False))
    with pytest.raises(ValueError, match="The 'scaled' must hold finite numbers or"):
        export(Computation.of(document), tmp_path / "huge.py", "py")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", EVERY)
def test_a_pytorch_script_speaks_of_torch_alone(name, tmp_path) -> None:
    path = tmp_path / "script.py"
    export(computation(name), path, "torch")
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    imported = {
        alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert "torch" in imported
    assert imported <= {"torch", "math", "base64", "zlib"}
    assert "np" not in names
    keywords = {node.arg for node in nodes if isinstance(node, ast.keyword)}
    assert not keywords & {"axis", "keepdims"}


@pytest.mark.parametrize(
    ("name", "covered"),
    [
        ("example:two-heads", True),
        ("shared keys", True),
        ("alibi with a bias", True),
        ("cosine", True),
        ("scale", True),
        ("soft cap", False),
        ("additive", False),
        ("softmax warm, some blind", False),
        ("mask", False),  # a query there sees no key
        ("entmax15 plainly", False),
    ],
)
def test_pytorchs_own_attention_is_asked_where_it_knows_the_variant(
    name, covered, tmp_path
) -> None:
    path = tmp_path / "script.py"
    export(computation(name), path, "torch")
    text = path.read_text(encoding="utf-8")
    assert ("scaled_dot_product_attention(" in text) == covered


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_pytorch_scripts_compute_every_step_alike(tmp_path) -> None:
    paths = []
    for place, name in enumerate(EVERY):
        paths.append(tmp_path / f"{place}.py")
        export(computation(name), paths[-1], "torch")
    script = "import runpy, sys\nfor path in sys.argv[1:]: runpy.run_path(path)"
    subprocess.run([sys.executable, "-I", "-c", script, *map(str, paths)], check=True)


@pytest.mark.parametrize(
    "choice",
    [
        Choice(steps=("mask",), headers=False),
        Choice(steps=("mask",), cells=Region(0, 1, 2, 2), headers=False),
        Choice(steps=("mask",)),
    ],
)
def test_a_mask_is_printed_as_the_truth_values_that_it_holds(tmp_path, choice) -> None:
    paths = [tmp_path / "small.py", tmp_path / "large.py"]
    for path, name in zip(paths, ["mask", "beyond what is written out"], strict=True):
        export(computation(name), path, "py", choice)
    (error, said), (large_error, large_said) = run_alone(paths)
    assert error is None, said
    assert large_error is None, large_said
    if not choice.headers:
        assert "False" in said
