"""Files that are named after students."""

import pytest

from attnviewer.teaching.exercise.student_files import student_file_name


@pytest.mark.parametrize("id", ["s1234567", "ada.lovelace", "ada@x.org", "a-b_c+d"])
def test_usual_ids_stay_as_they_are(id: str) -> None:
    assert student_file_name(id) == id


@pytest.mark.parametrize(
    "id",
    [
        "../ada",
        "a/b",
        "a\\b",
        "..",
        ".hidden",
        "C:x",
        "con",
        "NUL.x",
        "Zoë",
        "a b",
        "%2F",
    ],
)
def test_no_id_leads_elsewhere(id: str, tmp_path) -> None:
    name = student_file_name(id)
    assert (tmp_path / name).parent == tmp_path
    assert not set(name) & set('/\\:*?"<>| ')
    assert not name.startswith(".")
    assert name.partition(".")[0].upper() not in {"CON", "NUL"}


def test_different_ids_have_different_names() -> None:
    ids = ["a/b", "a%2Fb", "a_b", "A/b", "con", "%63on"]
    assert len({student_file_name(id) for id in ids}) == len(ids)
