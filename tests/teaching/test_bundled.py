from attnviewer.teaching import bundled_lessons


def test_bundled_lessons_are_in_their_order_with_names_of_their_own() -> None:
    lessons = bundled_lessons()
    orders = [lesson.order for lesson in lessons]
    assert orders == sorted(set(orders))
    assert len({lesson.id for lesson in lessons}) == len(lessons)
    for lesson in lessons:
        assert lesson.summary
        assert lesson.minutes
