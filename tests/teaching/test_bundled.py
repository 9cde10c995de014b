from attnviewer.teaching import bundled_lessons, read_lesson
from tests.architecture.blocks import ROOT


def test_bundled_lessons_are_in_their_order_with_names_of_their_own() -> None:
    lessons = bundled_lessons()
    orders = [lesson.order for lesson in lessons]
    assert orders == sorted(set(orders))
    assert len({lesson.id for lesson in lessons}) == len(lessons)
    for lesson in lessons:
        assert lesson.summary
        assert lesson.minutes


def test_bundled_lessons_are_valid_with_their_documents() -> None:
    for path in (ROOT / "resources" / "lessons").glob("*.md"):
        tried = read_lesson(path)
        assert tried in bundled_lessons()
        for page in tried.exercises:
            block = tried.document_of(page)
            assert block.varies
            for seed in (1, 2, 3):
                for task in page.tasks:
                    task.check_fit(block.open(seed, tried.folder))
