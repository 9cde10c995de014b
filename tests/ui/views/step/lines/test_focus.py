from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step.lines.focus import MOST_TOKENS, focus_of

SHAPE = (4, 6)
NOTHING = Marked()
NOWHERE = Linked()


def test_without_anything_nothing_stands_out():
    focus = focus_of(SHAPE, NOTHING, NOWHERE, None, NOWHERE)
    assert (focus.queries, focus.keys, focus.cells) == ((), (), ())
    assert not focus.has("queries", 0)


def test_the_query_of_the_selected_cell_stands_out_with_its_weights():
    focus = focus_of(SHAPE, NOTHING, Linked((2,), (5,)), None, NOWHERE)
    assert (focus.queries, focus.keys) == ((2,), ())
    assert focus.with_weights == ((2,), ())
    assert focus.cells == ((2, 5),)
    assert focus.has("queries", 2)
    assert focus.has("keys", 5)
    assert not focus.has("keys", 2)


def test_a_selected_cell_of_keys_alone_lets_its_key_stand_out():
    focus = focus_of(SHAPE, NOTHING, Linked((), (5,)), None, NOWHERE)
    assert (focus.queries, focus.keys, focus.cells) == ((), (5,), ())
    assert focus.with_weights == ((), (5,))


def test_marks_go_before_the_selected_cell():
    marked = Marked(frozenset([3, 1]), frozenset([0]))
    focus = focus_of(SHAPE, marked, Linked((2,), (5,)), None, NOWHERE)
    assert (focus.queries, focus.keys) == ((1, 3), (0,))
    assert focus.with_weights == ((1, 3), (0,))
    assert focus.cells == ((2, 5),)


def test_the_weights_of_a_token_that_is_pointed_at_are_told_alone():
    marked = Marked(frozenset([3]), frozenset())
    focus = focus_of(SHAPE, marked, NOWHERE, ("keys", 1), NOWHERE)
    assert (focus.queries, focus.keys) == ((3,), (1,))
    assert focus.with_weights == ((), (1,))


def test_a_cell_under_the_pointer_is_a_line_and_a_row_is_a_token():
    line = focus_of(SHAPE, NOTHING, NOWHERE, None, Linked((1,), (2,)))
    assert line.cells == ((1, 2),)
    row = focus_of(SHAPE, NOTHING, NOWHERE, None, Linked((1,), ()))
    assert (row.queries, row.cells) == ((1,), ())
    assert row.with_weights == ((1,), ())


def test_what_is_not_there_is_left_out():
    marked = Marked(frozenset([3, 4]), frozenset([5, 6]))
    focus = focus_of(SHAPE, marked, Linked((9,), (0,)), None, Linked((0,), (6,)))
    assert (focus.queries, focus.keys, focus.cells) == ((3,), (5,), ())


def test_of_thousands_of_marks_only_some_have_their_lines_read():
    marked = Marked(frozenset(range(4096)), frozenset())
    focus = focus_of((4096, 4096), marked, NOWHERE, None, NOWHERE)
    assert focus.queries == tuple(range(MOST_TOKENS))
