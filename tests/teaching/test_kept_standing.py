"""What is kept of a learner besides answers: attempts, what was shown, and seeds."""

from attnviewer.teaching import Progress, load_progress, save_progress


def test_all_of_it_is_read_back(tmp_path):
    progress = Progress(
        answers={"a": {(0, 1): "2"}},
        attempts={"a": 3},
        shown=frozenset({"b"}),
        seeds={4: 17},
    )
    save_progress(tmp_path, "lesson", progress)
    assert load_progress(tmp_path, "lesson") == (progress, "")
