"""Columns that are asked for: cells, offsets, detectors, and means over runs."""

import pickle
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import HeadRow, Site, head_table
from attnviewer.models.detectors import (
    DETECTORS,
    duplicate_token,
    induction,
    local,
    occurrence_profile,
    prefix_matching,
    repeated_random_tokens,
    retrieval,
)
from attnviewer.models.trace import ModelTrace
from tests.models import encoder_decoders
from tests.models.checkpoints import write, write_gpt2
from tests.models.vision import recorded_vision

SENTENCE = "The animal didn't cross the street because it was too tired."
IDS = [4, 9, 2, 4, 9, 2, 1]


@pytest.fixture
def model(tmp_path) -> models.Model:
    return models.load(write_gpt2(tmp_path))


@pytest.fixture
def run(model) -> ModelTrace:
    return model.run(IDS)


def test_heads_of_minilm_are_found_by_what_it_refers_to(minilm) -> None:
    run = models.load(minilm).run(SENTENCE)
    table = head_table(run, cell=("it", "animal"))
    best = sorted(table, key=lambda row: -row.cell)[:3]
    assert [row[:2] for row in best] == [(3, 1), (5, 11), (5, 3)]
    got = [row.cell for row in best]
    np.testing.assert_allclose(got, [0.6768, 0.6733, 0.2486], atol=5e-5)
    # "the" comes twice, and the first one counts.
    (row,) = [row for row in head_table(run, [3], cell=("the", 2)) if row.head == 1]
    assert row.cell == run.attention(3)["weights"][1, 1, 2]
    for cell in (("it", "cat"), ("cat", "it")):
        with pytest.raises(ValueError, match=r"of the sentence: \[CLS\] the.*cat"):
            head_table(run, cell=cell)
    table = head_table(run, [0], detectors=["copy_suppression", "duplicate_token"])
    (note,) = table.notes
    assert note.startswith("Copy suppression: The model must predict tokens")
    row = next(iter(table))
    assert np.isnan(row.copy_suppression)
    assert note in table._repr_html_().replace("&#x27;", "'")
    assert row.duplicate_token > 0


def test_every_detector_is_a_column_with_the_number_of_its_function(run) -> None:
    needle = range(0, 3)
    table = head_table(run, detectors=DETECTORS, needle=needle)
    assert table.notes == ("Separator: There is no separator after the first token.",)
    assert table.columns == ("layer", "head", *DETECTORS)
    again = repeated_random_tokens(run.model)
    rows = list(table)
    assert len(rows) == len(table) == run.model.n_layers * run.model.n_heads
    for row, plain in zip(rows, head_table(run), strict=True):
        assert row[: len(plain)] == plain
        A = run.attention(row.layer)["weights"][row.head]
        random = again.attention(row.layer)["weights"][row.head]
        assert row.duplicate_token == duplicate_token(A, IDS)
        assert row.induction == induction(A, IDS)
        assert row.prefix_matching == prefix_matching(random, again.ids)
        assert row.local == local(A)
        assert row.retrieval == retrieval(A, IDS, needle)
        assert np.isnan(row.separator)
        assert row.first_token_sink == (A[:, 0].mean() > 0.3)


def test_copy_suppression_is_that_of_the_logits_a_head_writes(tmp_path) -> None:
    # Grouped heads, RMS norm. Logits by the model's own table.
    model = models.load(write("llama", tmp_path, head=True))
    run, last = model.run(IDS), model.n_layers - 1
    everything = np.eye(model.architecture.d_model, dtype=np.float32)
    U = model.weights.logits(everything).T.astype(float)  # (n_tokens, d_model)
    U -= U.mean(axis=0)
    gain = model.weights.norm("final")["final.weight"]
    trace, W_O = run.attention(last), run.weights(last)["W_O"]
    width = model.architecture.d_head
    shared = model.n_heads // model.architecture.n_kv_heads
    rows = list(head_table(run, [last], detectors=["copy_suppression"]))
    for h, row in enumerate(rows):
        A, W = trace["weights"][h], W_O[h * width : (h + 1) * width]
        total = 0.0
        for j in range(1, len(IDS)):
            m, u = (trace["V"][h // shared, j] @ W) * gain, U[IDS[j]]
            cosine = m @ u / np.linalg.norm(m) / np.linalg.norm(u)
            total -= A[:, j].sum() * cosine
        assert row.copy_suppression == pytest.approx(total / A[:, 1:].sum(), abs=1e-5)


def test_offsets_from_the_previous_occurrence_are_columns(run, model) -> None:
    table = head_table(run, [1], occurrence_offsets=(-1, 0, 1, 3))
    names = "minus_1", "0", "plus_1", "plus_3"
    assert table.columns[-4:] == tuple(f"occurrence_{name}" for name in names)
    want = occurrence_profile(run, 1, (-1, 0, 1, 3)).values
    np.testing.assert_array_equal(table.values[:, -4:], want)
    assert np.isnan(want[:, 3]).all()
    assert table.notes == ()
    once = head_table(model.run([1, 2, 3]), occurrence_offsets=[0])
    assert once.notes == (
        "Offsets from the previous occurrence: No token occurs twice.",
    )
    assert np.isnan([row.occurrence_0 for row in once]).all()


def test_of_several_runs_the_means_are_taken_where_there_is_a_number(model) -> None:
    ids = [[1, 2, 3], [5, 6, 5, 6], [7, 7]]
    runs = [model.run(each) for each in ids]
    asked = {"detectors": ["induction"], "cell": (-1, 0), "occurrence_offsets": [0]}
    got = head_table(iter(runs), **asked)
    each = [head_table(run, **asked).values for run in runs]
    np.testing.assert_allclose(got.values, np.nanmean(each, axis=0))
    assert np.isnan(each[0][:, -1]).all()
    assert got.notes == ()


def test_rows_are_computed_as_they_are_read_and_kept(run, monkeypatch) -> None:
    layers, attention = [], ModelTrace.attention

    def recorded(self, layer):
        layers.append(layer)
        return attention(self, layer)

    monkeypatch.setattr(ModelTrace, "attention", recorded)
    table = head_table(run, cell=(1, 0))
    assert layers == []
    assert next(iter(table)).layer == 0
    assert layers == [0]
    assert "L0 H0" in table._repr_html_()
    first = list(table)
    layers.clear()
    assert list(table) == first
    assert layers == []


def test_tables_and_rows_are_pickled(run) -> None:
    table = head_table(run, detectors=["local"], cell=(3, 1), occurrence_offsets=[1])
    list(table)
    again = pickle.loads(pickle.dumps(table))
    assert again.columns == table.columns
    assert repr(again) == repr(table)
    np.testing.assert_array_equal(again.values, table.values)
    row = next(iter(table))
    same = pickle.loads(pickle.dumps(row))
    assert same == row
    assert (same.layer, same.cell) == (row.layer, row.cell)
    assert isinstance(row, HeadRow)
    assert list(same._asdict()) == list(table.columns)
    assert f"cell={row.cell}" in repr(row)
    with pytest.raises(AttributeError, match="no column 'induction'"):
        _ = row.induction


def test_pandas_and_xarray_get_a_column_for_each_number(run, monkeypatch) -> None:
    table = head_table(run, [1], cell=(3, 1))
    pandas = SimpleNamespace(
        DataFrame=lambda values, index, columns: (values, index, columns),
        MultiIndex=SimpleNamespace(
            from_arrays=lambda arrays, names: (arrays.tolist(), names)
        ),
    )
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    values, index, columns = table.to_pandas()
    heads = list(range(run.model.n_heads))
    assert index == ([[1] * len(heads), heads], ("layer", "head"))
    assert columns == [*HeadRow._fields[2:], "cell"]
    np.testing.assert_array_equal(values, table.values[:, 2:])
    xarray = SimpleNamespace(Dataset=lambda data, coords: (data, coords))
    monkeypatch.setitem(sys.modules, "xarray", xarray)
    data, coords = table.to_xarray()
    assert coords == {"layer": [1], "head": heads}
    axes, cells = data["cell"]
    assert axes == ("layer", "head")
    np.testing.assert_array_equal(cells, [table.values[:, -1]])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="table of heads needs pandas"):
        table.to_pandas()


def test_what_cannot_be_a_column_is_refused_at_once(run, model, tmp_path) -> None:
    other = models.load(write_gpt2(tmp_path / "other"))
    refused = [
        (lambda: head_table([]), "at least one run"),
        (lambda: head_table([run, other.run(IDS)]), "of the same model"),
        (lambda: head_table(run, cell=(7, 0)), "'query' must be one of 7 tokens"),
        (lambda: head_table(run, cell=(0, -8)), "'key' must be one of 7 tokens"),
        (lambda: head_table(run, cell="it"), "'cell' must be a query and a key"),
        (lambda: head_table(run, detectors=["inducton"]), "'detector' must be one of"),
        (lambda: head_table(run, needle=range(5, 7)), "a token after it"),
        (lambda: head_table(run, needle=range(0)), "'needle' must be a range"),
        (lambda: head_table(run, [5]), "'layer' must be from 0 to"),
    ]
    for call, message in refused:
        with pytest.raises((ValueError, IndexError, TypeError), match=message):
            call()


def test_towers_and_parts_of_one_checkpoint_are_different_models(tmp_path) -> None:
    (tmp_path / "clip").mkdir()
    told, _ = recorded_vision.load("clip")
    clip = models.load(recorded_vision.write(told, tmp_path / "clip"))
    picture = recorded_vision.pixels("clip", told["pixels"])
    bart = encoder_decoders.load("bart").write(tmp_path / "bart")
    decoded = models.load(bart).run([5, 6, 7], [8, 9])
    for runs, names in (
        ([clip.run(told["ids"]), clip.run(picture)], "clip text and clip vision"),
        ([decoded.part("encoder"), decoded], "bart (encoder) and bart (decoder)"),
    ):
        with pytest.raises(ValueError, match=re.escape(f"same model. Got {names} in")):
            head_table(runs)


def test_a_model_that_is_opened_twice_is_the_same(model) -> None:
    runs = [model.run(IDS), models.load(model.path).run(IDS)]
    np.testing.assert_array_equal(head_table(runs).values, head_table(runs[0]).values)


def test_a_text_that_is_several_tokens_is_ambiguous(run, monkeypatch) -> None:
    shown = ("␣a", "a␣", "b", "␣a", "a␣", "b", "c")
    monkeypatch.setattr(type(run.model), "readable", lambda self, tokens: shown)
    with pytest.raises(ValueError, match=r"'a' is one of 0 '␣a', 1 'a␣'.*position"):
        head_table(run, cell=("a", "b"))
    row = next(iter(head_table(run, cell=("a␣", "␣a"))))
    assert row.cell == run.attention(0)["weights"][0, 1, 0]


def test_a_table_of_many_heads_has_a_picture_of_each_column_with_numbers(
    run, monkeypatch
) -> None:
    own = run.with_activations({Site("weights", 0, 1): np.eye(7)})
    table = head_table(own, detectors=["retrieval"])
    assert "<svg" not in table._repr_html_()  # its rows are few
    module = sys.modules["attnviewer.models.head_table"]
    monkeypatch.setattr(module, "MOST_ROWS", 3)
    html = table._repr_html_()
    assert html.count("<svg") == len(HeadRow._fields) - 2  # none of retrieval
    # L0 H1 alone looks at the query's own token only.
    picture = html[html.index("<small>diagonal_share") :]
    assert re.findall(r'fill-opacity="1" d="(.*?)"', picture) == ["M1 0h1v1h-1z"]
    monkeypatch.setattr(module, "MOST_WORK", 1)
    assert "<svg" not in head_table(run)._repr_html_()
