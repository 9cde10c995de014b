"""``attnviewer doctor``: what it prints, what it writes and how it ends."""

import json

import numpy as np
import pytest

from attnviewer import cli
from tests.doctor.reading.layer import inputs, one, steps

GIVEN = inputs()
RIGHT = one(steps(GIVEN, causal=True))
SPEC = "heads=2,causal=true"


@pytest.fixture
def file(tmp_path):
    def write(**mine):
        path = tmp_path / "mine.npz"
        np.savez(path, **GIVEN, **{f"mine_{name}": a for name, a in mine.items()})
        return str(path)

    return write


def _run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["doctor", *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


def _unscaled() -> dict[str, np.ndarray]:
    """Return the steps of an implementation that forgets to scale."""
    masked = np.where(np.tril(np.ones((5, 5), bool)), RIGHT["scores"], -np.inf)
    powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    heads = weights @ RIGHT["V"]
    output = heads.transpose(1, 0, 2).reshape(5, -1) @ GIVEN["W_O"]
    return {"weights": weights, "output": output}


def test_a_right_implementation_agrees(capsys, file) -> None:
    path = file(weights=RIGHT["weights"], output=RIGHT["output"])
    code, told, noted = _run(capsys, path, "--spec", SPEC)
    assert (code, noted) == (0, "")
    first = told.splitlines()[0]
    assert first == "Agrees to within float64 rounding (compared: weights, output)."


def test_a_mistake_is_named(capsys, file) -> None:
    code, told, noted = _run(capsys, file(**_unscaled()), "--spec", SPEC)
    assert (code, noted) == (1, "")
    assert told.startswith("First difference at 'weights': ")
    assert "[scale-missing]" in told


def test_json_is_one_line_with_the_ids(capsys, file) -> None:
    code, told, _ = _run(capsys, file(**_unscaled()), "--spec", SPEC, "--json")
    assert code == 1
    assert told.count("\n") == 1
    answer = json.loads(told)
    assert not answer["agrees"]
    assert answer["first_different"] == "weights"
    assert [finding["id"] for finding in answer["findings"]] == ["scale-missing"]
    assert answer["findings"][0].keys() >= {"ids", "step", "parameter"}
    assert answer.keys() >= {"harmless", "unseen", "precision"}
    assert answer["precision"] == "float64"


def test_json_of_what_agrees(capsys, file) -> None:
    path = file(attn_output=RIGHT["output"].astype(np.float32))
    code, told, _ = _run(capsys, path, "--spec", SPEC, "--json")
    answer = json.loads(told)
    assert (code, answer["agrees"], answer["first_different"]) == (0, True, None)
    assert (answer["findings"], answer["precision"]) == ([], "float32")
    assert answer["notes"] == ["'mine_attn_output' is read as output."]


@pytest.mark.usefixtures("few_mistakes")
def test_nan_is_a_difference_and_no_failure(capsys, file) -> None:
    wrong = RIGHT["weights"].copy()
    wrong[0, 2] = np.nan
    code, told, _ = _run(capsys, file(weights=wrong), "--spec", SPEC, "--json")
    assert code == 1
    assert json.loads(told)["first_different"] == "weights"


@pytest.mark.parametrize("ending", ["html", "md", "HTML"])
def test_a_report_is_one_file(capsys, file, tmp_path, ending) -> None:
    report = tmp_path / f"report.{ending}"
    code, told, _ = _run(
        capsys, file(**_unscaled()), "--spec", SPEC, "--report", str(report)
    )
    assert code == 1
    assert told.endswith(f"{report} written\n")
    text = report.read_text(encoding="utf-8")
    assert "scale-missing" in text
    # the numbers of the first step that differs, twice, and their difference
    number = f"{RIGHT['weights'][0, 1, 0]:.4f}"
    assert number in text
    assert f"{_unscaled()['weights'][0, 1, 0]:.4f}" in text
    assert text.startswith("# " if ending == "md" else "<!DOCTYPE html>")
    assert "http" not in text


def test_a_report_shows_names_of_files_as_text(capsys, tmp_path) -> None:
    path = tmp_path / "mine.npz"
    sneaky = {"<script>": np.ones(3)}
    np.savez(path, **GIVEN, **sneaky, mine_output=RIGHT["output"])
    report = tmp_path / "report.html"
    code, _, _ = _run(capsys, str(path), "--spec", SPEC, "--report", str(report))
    assert code == 0
    text = report.read_text(encoding="utf-8")
    assert "&lt;script&gt;" in text
    assert "<script>" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.npz"], "There is no such file or folder."),
        (["{file}", "--spec", "headz=2"], "argument --spec: The 'option' must be"),
        (["{file}", "--spec", "heads=5"], "The 'n_heads' must divide the 12 columns"),
        (["{file}", "--report", "x.pdf"], "the name must end in .html or .md."),
        (["{file}", "--reprot", "x.md"], "unrecognized arguments: --reprot"),
        ([], "the following arguments are required: FILE"),
    ],
)
def test_what_cannot_be_compared_ends_with_2(capsys, file, arguments, words) -> None:
    path = file(output=RIGHT["output"])
    code, told, noted = _run(capsys, *(a.format(file=path) for a in arguments))
    assert (code, told) == (2, "")
    assert words in noted
    assert noted.count("\n") == 1


def test_arrays_of_another_run_cannot_be_compared(capsys, file) -> None:
    code, _, noted = _run(capsys, file(weights=np.ones((2, 9, 9))), "--spec", SPEC)
    assert code == 2
    assert "of another run: there are 5 queries here." in noted


def test_help_says_what_a_file_holds(capsys) -> None:
    code, told, _ = _run(capsys, "--help")
    assert code == 0
    assert [
        w for w in ("mine_STEP", "--spec", "--json", "--report") if w not in told
    ] == []
