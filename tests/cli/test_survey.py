"""``attnviewer survey``: what it writes, tells and refuses."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from attnviewer import cli, models
from attnviewer.cli import survey as command
from attnviewer.models.survey import Progress
from tests.models.checkpoints import write_gpt2


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    write_gpt2(tmp_path / "tiny")
    path = tmp_path / "texts.txt"
    path.write_text("5 6 7\n\n9 8 9\n" + "3 4 " * 10)
    return path


def run(texts: Path, *options: str, to: str = "heads.npz") -> int:
    given = texts.with_name("tiny"), texts, "--to", texts.with_name(to), *options
    return cli.main(["survey", *map(str, given)])


def test_a_survey_is_written_and_what_was_cut_is_told(capsys, texts: Path) -> None:
    assert run(texts, "--metrics", "entropy, induction") == 0
    told = capsys.readouterr()
    path = texts.with_name("heads.npz")
    assert told.out == f"{path} written: 3 texts\n"
    assert told.err == "attnviewer: 1 of 3 texts had too many tokens.\n"
    found = models.open_survey(path)
    assert found.metrics == ("entropy", "induction")
    assert run(texts, to="heads.csv") == 0
    assert texts.with_name("heads.csv").read_text().count("\n") == 1 + 2 * 4 * 6


def test_longer_texts_are_cut_to_the_most_tokens(capsys, texts: Path) -> None:
    texts.write_text("5 6 7 8\n9 8 9\n3 4\n1 2 3 4 5")
    assert run(texts, "--most-tokens", "3") == 0
    assert "2 of 4 texts had too many tokens." in capsys.readouterr().err
    assert models.open_survey(texts.with_name("heads.npz")).truncated == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--metrics", "inductoin"], "Did you mean 'induction'?"),
        (["--most-tokens", "0"], "--most-tokens: it must be a whole number of at"),
        (["--workers", "0"], "--workers: it must be a whole number of at least 1"),
        (["--workers", "2", "--scheduler", "tcp://a:1"], "not allowed with"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(
    options: list[str], told: str, capsys, texts: Path
) -> None:
    before = set(texts.parent.iterdir())
    assert run(texts, *options) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert set(texts.parent.iterdir()) == before


def test_an_interruption_says_how_to_go_on(capsys, texts: Path, monkeypatch) -> None:
    def interrupt(self, progress: Progress) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command._ProgressLine, "__call__", interrupt)
        assert run(texts) == 130
    assert "The same command goes on" in capsys.readouterr().err
    assert texts.with_name("heads.npz.part").exists()
    assert run(texts) == 0
    assert not texts.with_name("heads.npz.part").exists()


def test_progress_has_the_remaining_time(capsys, monkeypatch) -> None:
    times = iter([0.0, 5.0, 11.0, 12.0])
    monkeypatch.setattr(command, "time", SimpleNamespace(monotonic=times.__next__))
    told = command._ProgressLine()
    told(Progress(16, 1000, 700.0))
    told(Progress(32, 1000, 3725.0))
    told(Progress(48, 1000, 1.0))
    told.end()
    assert capsys.readouterr().err == "attnviewer: 32 of 1,000 texts, 1 h 2 min left\n"
    assert command._line(Progress(7, None, None)) == "7 texts"
    assert command._line(Progress(9, 10, 0.2)) == "9 of 10 texts, 0 s left"
