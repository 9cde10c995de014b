"""How the hidden states of a sentence become one row, as the files tell."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileFormatError
from tests.models.checkpoints import write_bert

IDS = [3, 1, 4, 1, 5]
_OFF = {
    f"pooling_mode_{mode}": False
    for mode in (
        *("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens"),
        *("weightedmean_tokens", "lasttoken"),
    )
}


def pooling(folder: Path, told: object, *more: str, path: str = "1_Pooling") -> Path:
    """Say as sentence-transformers does how a checkpoint pools."""
    modules = [("Transformer", ""), ("Pooling", path), *((name, "") for name in more)]
    types = [
        {"type": f"sentence_transformers.models.{name}", "path": place}
        for name, place in modules
    ]
    (folder / "modules.json").write_text(json.dumps(types))
    if told is not None:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(told))
    return folder


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "bert")


@pytest.mark.parametrize(
    "told",
    [
        {"word_embedding_dimension": 32},
        {**_OFF, "pooling_mode_mean_tokens": True},
        {"embedding_dimension": 32, "pooling_mode": "mean"},
        {"pooling_mode": ["mean"]},
    ],
)
def test_the_mean_is_told_in_several_ways(bert: Path, told: object) -> None:
    run = models.load(pooling(bert, told)).run(IDS)
    mean = sum(run.hidden_states[-1]) / len(IDS)
    np.testing.assert_allclose(run.sentence_embedding, mean, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "told", [{**_OFF, "pooling_mode_cls_token": True}, {"pooling_mode": "cls"}]
)
def test_the_first_token_is_told_in_several_ways(bert: Path, told: object) -> None:
    run = models.load(pooling(bert, told)).run(IDS)
    np.testing.assert_array_equal(run.sentence_embedding, run.hidden_states[-1][0])


def test_an_embedding_is_divided_by_its_length_where_it_is_said(bert: Path) -> None:
    folder = pooling(bert, {"pooling_mode": "cls"}, "Normalize")
    run = models.load(folder).run(IDS)
    first = run.hidden_states[-1][0].astype(np.float64)
    np.testing.assert_allclose(
        run.sentence_embedding, first / np.sqrt((first**2).sum()), rtol=1e-5
    )


@pytest.mark.parametrize(
    "told",
    [
        {**_OFF, "pooling_mode_max_tokens": True},
        {**_OFF, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True},
        {**_OFF, "pooling_mode_lasttoken": True},
        {"pooling_mode_cls_token": True},
        _OFF,
        {"pooling_mode": "max"},
        {"pooling_mode": ["cls", "mean"]},
        None,
    ],
)
def test_other_ways_are_not_taken_for_the_mean(bert: Path, told: object) -> None:
    run = models.load(pooling(bert, told)).run(IDS)
    assert run.hidden_states[-1].shape == (5, 32)
    with pytest.raises(ValueError, match=r"the mean or the first token.*modules\.json"):
        _ = run.sentence_embedding


def test_a_name_that_is_too_long_for_a_folder_is_missing(bert: Path) -> None:
    run = models.load(pooling(bert, None, path="x" * 5000)).run(IDS)
    with pytest.raises(ValueError, match="no file that says it"):
        _ = run.sentence_embedding


def test_a_step_that_is_not_known_leaves_no_embedding(bert: Path) -> None:
    run = models.load(pooling(bert, {}, "Dense")).run(IDS)
    with pytest.raises(ValueError, match="the mean or the first token"):
        _ = run.sentence_embedding


@pytest.mark.parametrize("path", ["..", "../bert", "/", ""])
def test_modules_may_not_lead_out_of_their_folder(bert: Path, path: str) -> None:
    with pytest.raises(FileFormatError, match="folder beside it"):
        models.load(pooling(bert, {}, path=path))
