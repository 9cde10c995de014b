"""Files of surveys: what they hold, and files that are damaged or made up."""

import csv
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileError, FileFormatError
from attnviewer.models.survey import Survey


def small_survey() -> Survey:
    """Return a survey of 2 texts, 1 metric, 1 layer and 2 heads; one counts nowhere."""
    nan = np.nan
    return Survey(
        "tiny",
        "0f",
        ("induction",),
        2,
        1,
        3,
        count=np.array([[[2, 0]]]),
        mean=np.array([[[0.5, nan]]]),
        spread=np.array([[[0.25, nan]]]),
        minimum=np.array([[[0.25, nan]]]),
        lowest=np.array([[[1, -1]]]),
        highest=np.array([[[[0, 1], [-1, -1]]]]),
        highest_values=np.array([[[[0.75, 0.25], [nan, nan]]]]),
        texts={0: "=1+1", 1: 'a "b",\nc'},
    )


def test_an_npz_file_reads_back_and_is_plain_numpy(tmp_path: Path) -> None:
    survey, path = small_survey(), tmp_path / "heads.npz"
    survey.save(path)
    again = models.open_survey(path)
    for name in ("model", "fingerprint", "metrics", "n_texts", "truncated", "skipped"):
        assert getattr(again, name) == getattr(survey, name)
    assert dict(again.texts) == dict(survey.texts)
    with np.load(path, allow_pickle=False) as arrays:
        told = json.loads(str(arrays["survey"]))
        assert told["format"] == "attnviewer survey"
        for name in set(arrays) - {"survey"}:
            np.testing.assert_array_equal(arrays[name], getattr(again, name))
            np.testing.assert_array_equal(arrays[name], getattr(survey, name))
    assert Survey.load(path).examples("induction", 0, 1) == ()


def test_a_csv_file_has_a_row_for_each_head_and_runs_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "heads.csv"
    small_survey().save(path)
    first, second = csv.DictReader(io.StringIO(path.read_text("utf-8"), newline=""))
    assert first == {
        **{"layer": "0", "head": "0", "metric": "induction", "count": "2"},
        **{"mean": "0.5", "spread": "0.25", "minimum": "0.25", "minimum_index": "1"},
        **{"minimum_text": 'a "b",\nc', "maximum": "0.75", "maximum_index": "0"},
        "maximum_text": "'=1+1",
    }
    assert (second["count"], second["mean"], second["maximum_text"]) == ("0", "nan", "")


def test_a_parquet_file_has_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    small_survey().save(tmp_path / "heads.parquet")
    rows = parquet.read_table(tmp_path / "heads.parquet").to_pylist()
    assert [row["head"] for row in rows] == [0, 1]
    assert rows[0]["maximum_text"] == "=1+1"


def test_pandas_has_the_same_rows() -> None:
    pytest.importorskip("pandas")
    wide = small_survey().to_pandas()["mean"].unstack("metric")
    assert wide.loc[(0, 0), "induction"] == 0.5


def _parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def _npy(array: object, *, allow_pickle: bool = False) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asanyarray(array), allow_pickle=allow_pickle)
    return file.getvalue()


def _told(**changed: object) -> dict[str, bytes]:
    told = {
        **{"format": "attnviewer survey", "version": 1, "model": "tiny"},
        **{"fingerprint": "0f", "metrics": ["induction"], "n_texts": 2},
        **{"truncated": 1, "skipped": 3, "texts": {"0": "a", "1": "b"}},
        **changed,
    }
    return {"survey.npy": _npy(np.array(json.dumps(told)))}


@pytest.mark.parametrize(
    ("changed", "location"),
    [
        ({"mean.npy": None}, None),
        ({"more.npy": _npy(1)}, None),
        ({"mean.npy": _npy([object()], allow_pickle=True)}, "mean"),
        ({"mean.npy": b"no array"}, "mean"),
        ({"mean.npy": _npy(np.zeros((1, 1, 3)))}, "mean"),
        ({"mean.npy": _npy(np.zeros((1, 1, 2), "f4"))}, "mean"),
        ({"mean.npy": _npy([[[np.inf, np.nan]]])}, "mean"),
        ({"count.npy": _npy(np.zeros((1, 0, 2), int))}, "count"),
        ({"count.npy": _npy(2)}, "count"),
        ({"count.npy": _npy([[[3, 0]]])}, "count"),
        ({"lowest.npy": _npy([[[7, -1]]])}, "lowest"),
        ({"highest.npy": _npy([[[[0, -1], [-1, -1]]]])}, "highest"),
        ({"highest.npy": _npy(np.zeros((1, 1, 2, 3), int))}, "highest"),
        ({"survey.npy": _npy(1.0)}, "survey"),
        ({"survey.npy": _npy(np.array("{"))}, "survey, line 1"),
        (_told(version=2), "survey"),
        (_told(metrics=["evil"]), "survey"),
        (_told(n_texts="2"), "survey, $.n_texts"),
        (_told(truncated=3), "survey"),
        (_told(texts={"1": "b"}), "highest"),
        (_told(texts={"0": "a", "-1": "b"}), "survey, $.texts"),
        (_told(texts={"0": "a", str(2**63): "b"}), "survey, $.texts"),
        (_told(texts={"0": "a", "9" * 5000: "b"}), "survey, $.texts"),
        (_told(metrics=["induction", "local"]), "count"),
    ],
)
def test_a_damaged_file_is_refused_with_the_place(
    changed, location: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "heads.npz"
    small_survey().save(path)
    parts = {**_parts(path), **changed}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in parts.items():
            if content is not None:
                file.writestr(name, content)
    with pytest.raises(FileFormatError) as refused:
        models.open_survey(path)
    assert refused.value.path == path
    assert refused.value.location == location


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "heads.npz"
    with pytest.raises(FileError, match="no such file"):
        models.open_survey(path)
    small_survey().save(path)
    whole = path.read_bytes()
    for content in (b"", b"text", whole[: len(whole) // 2], whole[:-9]):
        path.write_bytes(content)
        with pytest.raises(FileFormatError):
            models.open_survey(path)
    np.savez(path, X=np.eye(2))
    with pytest.raises(FileFormatError, match="no survey"):
        models.open_survey(path)
