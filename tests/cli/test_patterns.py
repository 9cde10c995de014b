"""``attnviewer patterns``: what it prints and refuses."""

import json

import numpy as np
import pytest

from attnviewer import cli, load_example, patterns


def test_each_head_is_described_and_json_has_the_same_numbers(capsys) -> None:
    assert cli.main(["patterns", "example:two-heads", "--needles", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = patterns.survey_patterns(
        load_example("two-heads").compute(),
        tokens=load_example("two-heads").labels.keys,
        n_needles=1,
    )
    names = [line for line in lines if line.startswith("head")]
    assert names == [f"head {row['head']}: {row['pattern']}" for row in expected.rows()]
    assert sum("(the fewest)" in line for line in lines) == 2
    assert sum(line.startswith("  needle: ") for line in lines) == 2
    assert cli.main(["patterns", "example:two-heads", "--json", "--needles", "1"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == expected.as_json()


def test_one_head_keeps_as_much_as_asked(capsys) -> None:
    given = "patterns", "example:two-heads", "--head", "1", "--keep", "0.5", "--json"
    assert cli.main(list(given)) == 0
    (head,) = json.loads(capsys.readouterr().out)["heads"]
    assert (head["head"], head["keep"]) == (1, 0.5)
    assert all(budget["share"] >= 0.5 for budget in head["budgets"].values())


def test_a_file_of_arrays_is_read(capsys, tmp_path) -> None:
    q, k, v = np.random.default_rng(0).normal(size=(3, 40, 4))
    np.savez(tmp_path / "long.npz", Q=q, K=k, V=v)
    assert cli.main(["patterns", str(tmp_path / "long.npz")]) == 0
    assert capsys.readouterr().out.startswith("head 0: ")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--head", "7"], "The 'head' must be from 0 to 1"),
        (["--keep", "1.5"], "The 'keep' parameter must be above 0 and up to 1"),
        (["--needles", "many"], "it must be a whole number from 0 to 10,000"),
        (["--scheduler", "nowhere"], ""),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options, told: str, capsys) -> None:
    assert cli.main(["patterns", "example:two-heads", *options]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_a_folder_of_exported_files_is_not_called_a_model(capsys, tmp_path) -> None:
    (tmp_path / "X.csv").write_text("1,2\n3,4\n")
    assert cli.main(["patterns", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "It is a folder of tables." in told
    assert "Ctrl+Shift+O" in told
