"""Surveys of heads over texts, against NumPy over the table of each text's heads."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileError, FileFormatError
from attnviewer.models.survey.forward import attentions
from tests.models.checkpoints import write, write_gpt2
from tests.models.survey.texts import some_texts

METRICS = ("entropy", "previous_share", "induction", "prefix_matching")
TEXTS = some_texts(37)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> models.Model:
    return models.load(write_gpt2(tmp_path_factory.mktemp("models") / "tiny"))


def ids(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def test_statistics_are_numpys_over_the_table_of_each_text(model) -> None:
    found = models.survey(model, iter(TEXTS), METRICS)
    tables = [models.head_table(model.run(ids(t)), detectors=METRICS) for t in TEXTS]
    columns = [tables[0].columns.index(name) for name in METRICS]
    scores = np.array([table.values for table in tables])[:, :, columns]
    scores = np.moveaxis(scores.reshape(37, 2, 4, 4), -1, 1)  # (texts, m, l, h)
    shape = len(METRICS), 2, 4
    assert found.metrics == METRICS
    assert (found.n_texts, found.truncated, found.skipped) == (37, 0, 0)
    counts = np.isfinite(scores)
    assert 0 < counts[:, 2].sum() < counts[:, 0].sum()  # some repeat no token
    np.testing.assert_array_equal(found.count, counts.sum(0))
    for name, numbers in (
        ("mean", np.nanmean(scores, 0)),
        ("spread", np.nanstd(scores, 0)),
        ("minimum", np.nanmin(scores, 0)),
        ("maximum", np.nanmax(scores, 0)),
    ):
        np.testing.assert_allclose(getattr(found, name), numbers, atol=1e-6)
    for cell in np.ndindex(shape):
        own = scores[:, *cell]
        best = sorted(own[np.isfinite(own)], reverse=True)[:5]
        examples = found.examples(METRICS[cell[0]], *cell[1:])
        np.testing.assert_allclose([e.value for e in examples], best, atol=1e-6)
        for example in examples:
            assert example.text == TEXTS[example.index]
            assert own[example.index] == pytest.approx(example.value, abs=1e-6)
        lowest = own[found.lowest[cell]]
        assert lowest == pytest.approx(np.nanmin(own), abs=1e-6)
    np.testing.assert_array_equal(found.grid("entropy").values, found.mean[0])


@pytest.mark.parametrize("family", ["bert", "gemma2", "llama", "roberta"])
def test_texts_that_are_computed_together_attend_as_each_alone(
    family: str, tmp_path: Path
) -> None:
    model = models.load(write(family, tmp_path))
    runs = [model.run(ids) for ids in ([3, 5, 7, 5], [4], [9, 8, 3, 3, 5, 6, 7])]
    seen = []
    for layer, text, trace in attentions(model, [run.ids for run in runs]):
        seen.append((layer, text))
        want = runs[text].attention(layer)["weights"]
        np.testing.assert_allclose(trace["weights"], want, atol=1e-6)
    assert seen == [
        (layer, text) for layer in range(model.n_layers) for text in (0, 1, 2)
    ]


def test_texts_of_equal_scores_are_examples_in_their_order(model) -> None:
    found = models.survey(model, ["5 6"] * 20, ["entropy"])
    for head in range(4):
        assert [e.index for e in found.examples("entropy", 1, head)] == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(found.lowest, 0)
    np.testing.assert_allclose(found.spread, 0, atol=1e-7)


def test_a_file_has_a_text_in_each_line_that_is_not_empty(model, tmp_path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(b"\xef\xbb\xbf5 6 7\r\n\r\n  \n" + b"9 8 9" * 1 + b"\n4 4")
    of_file = models.survey(model, path, METRICS)
    given = models.survey(model, ["5 6 7", "9 8 9", "", "4 4"], METRICS)
    assert of_file.n_texts == 3
    np.testing.assert_array_equal(of_file.mean, given.mean)
    assert set(of_file.texts.values()) <= {"5 6 7", "9 8 9", "4 4"}
    for content, line in ((b"5 6\n\xff", "line 2"), (b"7" * (2**20 + 1), "line 1")):
        path.write_bytes(content)
        with pytest.raises(FileFormatError) as refused:
            models.survey(model, path)
        assert refused.value.location == line
    path.write_text("5 6\n\n70000\n")
    with pytest.raises(ValueError, match=r"texts.txt, line 3: .*70000"):
        models.survey(model, path)


def test_long_texts_are_cut_and_counted(model) -> None:
    long = " ".join(["7", "8"] * 20)
    found = models.survey(model, [long, "5 6"])
    cut = models.survey(model, [" ".join(["7", "8"] * 8), "5 6"])
    assert (found.truncated, cut.truncated) == (1, 0)
    np.testing.assert_array_equal(found.mean, cut.mean)
    assert models.survey(model, [long, "5 6"], most_tokens=1).truncated == 2


def test_a_cut_text_keeps_the_separator_at_its_end(minilm: Path) -> None:
    model = models.load(minilm)
    found = models.survey(model, ["one two three four"], most_tokens=4)
    want = models.head_table(model.run("one two")).values
    got = np.moveaxis(found.mean, 0, -1).reshape(-1, 6)
    np.testing.assert_allclose(got, want[:, 2:], atol=1e-6)


def test_progress_tells_how_many_of_how_many_and_how_long(model) -> None:
    told = []
    models.survey(model, TEXTS, progress=told.append)
    assert [(p.done, p.total) for p in told] == [(16, 37), (32, 37), (37, 37)]
    assert told[0].seconds_left > 0
    assert told[-1].seconds_left == 0
    models.survey(model, iter(TEXTS[:3]), progress=told.append)
    assert (told[-1].done, told[-1].total, told[-1].seconds_left) == (3, None, None)


def test_what_cannot_be_surveyed_is_refused_before_anything_is_written(
    model, tmp_path: Path
) -> None:
    to = tmp_path / "heads.npz"

    def refused(match: str, error: type[Exception] = ValueError, **given) -> None:
        asked = {"texts": TEXTS, "to": to, **given}
        with pytest.raises(error, match=match):
            models.survey(model, **asked)
        assert list(tmp_path.iterdir()) == []

    refused("Did you mean 'induction'", metrics=["inductoin"])
    refused("retrieval.*needs the positions of a needle", metrics=["retrieval"])
    refused("at least one", metrics=[])
    refused("at least one", texts=[])
    refused("at least one", texts=iter([" "]))
    refused("no such file", FileError, texts=tmp_path / "none.txt")
    refused("must be a text", TypeError, texts=["5", 7])
    refused("at least 1", workers=0)
    refused(r"must end in \.npz, \.csv, \.parquet", to=tmp_path / "heads.xls")
    refused("no folder", FileError, to=tmp_path / "none" / "heads.npz")
    refused(r"texts\[0\].*9999", texts=["9999"])


def test_an_encoder_has_no_copy_suppression(tmp_path: Path) -> None:
    model = models.load(write("bert", tmp_path))
    with pytest.raises(ValueError, match="predicts tokens"):
        models.survey(model, ["5 6"], ["copy_suppression"])


def test_a_survey_pickles_and_shows_a_table(model) -> None:
    found = models.survey(model, TEXTS[:3])
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.mean, found.mean)
    assert dict(again.texts) == dict(found.texts)
    with pytest.raises(ValueError, match="read-only"):
        again.mean[0] = 1
    assert "3 texts" in found._repr_html_()
    with pytest.raises(ValueError, match="Did you mean 'entropy'"):
        found.grid("entropi")
    with pytest.raises(IndexError, match="from 0 to 3"):
        found.examples("entropy", 0, 4)
