"""Generated tokens on the command line."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from attnviewer import cli, models
from attnviewer.paths import resource

_FOLDER = str(resource("notebooks", "induction-model"))
_TEXT = "old sailor found red bell old sailor"


def test_tokens_are_those_of_python_with_their_probabilities(capsys) -> None:
    options = ("--generate", "3", "--temperature", "2", "--top-k", "9", "--seed", "4")
    assert cli.main(["model", _FOLDER, "--text", _TEXT, *options]) == 0
    told = capsys.readouterr()
    header, *rows = csv.reader(io.StringIO(told.out, newline=""))
    run = models.load(_FOLDER).run(_TEXT)
    made = models.generate(run, 3, temperature=2.0, top_k=9, seed=4)
    assert header == ["position", "id", "token", "probability"]
    assert [int(row[0]) for row in rows] == [7, 8, 9]
    assert tuple(row[2] for row in rows) == made.tokens
    probabilities = [step.token.probability for step in made.steps]
    assert [float(row[3]) for row in rows] == probabilities
    assert told.err == "attnviewer: All 3 tokens were generated.\n"


def test_settings_that_are_not_applied_are_told(tmp_path, capsys) -> None:
    folder = Path(shutil.copytree(_FOLDER, tmp_path / "model"))
    settings = folder / "generation_config.json"
    settings.write_text('{"num_beams": 4}', encoding="utf-8")
    assert cli.main(["model", str(folder), "--text", _TEXT, "--generate", "1"]) == 0
    assert capsys.readouterr().err == (
        "attnviewer: The one token was generated. Tokens are chosen by the model's "
        "probabilities alone, without what generation_config.json asks for: "
        "num_beams.\n"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--generate 0", f"{_FOLDER}: The 'n_tokens' parameter must be an integer of"),
        ("--generate 2 --top-p 2", f"{_FOLDER}: The 'top_p' must be above 0 and at "),
        ("--generate 2 --temperature nan", f"{_FOLDER}: The 'temperature' par"),
        ("--top-k 3", "argument --top-k: it needs --generate"),
        ("--generate 2 --heads", "argument --heads: not allowed with argument --gen"),
    ],
)
def test_choices_that_make_no_sense_are_refused(capsys, options, told) -> None:
    assert cli.main(["model", _FOLDER, "--text", _TEXT, *options.split()]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.startswith(f"attnviewer: {told}")
    assert answer.err.count("\n") == 1
