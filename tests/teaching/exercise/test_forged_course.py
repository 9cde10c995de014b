"""Grades of forged submissions are those of a grader that is not ours."""

from tests.teaching.exercise.forged_course import compared


def test_grades_of_submissions_with_planted_slips_equal_an_independent_graders(
    tmp_path,
) -> None:
    found = list(compared(8, tmp_path))
    assert len(found) == 40
    assert len({round(theirs, 6) for _, _, theirs in found}) > 10  # slips were planted
    assert [one for one in found if abs(one[1] - one[2]) > 1e-9] == []
