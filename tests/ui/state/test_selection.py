"""The selection, without a window."""

from attnviewer.ui.state.selection import SelectionModel

SHAPES = {"weights": (4, 4), "output": (4, 3), "X": (4, 9)}


def fit(step, cell):
    rows, columns = SHAPES[step]
    return step, None if cell is None else (
        min(cell[0], rows - 1),
        min(cell[1], columns - 1),
    )


def test_through_a_narrower_step_the_way_leads_back_to_the_same_cell() -> None:
    selection = SelectionModel(fit)
    selection.choose_cell("weights", (0, 3))
    selection.choose_step("output")
    assert selection.cell == (0, 2)
    selection.refit()  # as after each edit
    selection.choose_step("weights")
    assert selection.cell == (0, 3)


def test_a_cell_that_is_selected_in_a_narrower_step_is_kept_beyond_it() -> None:
    selection = SelectionModel(fit)
    selection.choose_cell("weights", (0, 3))
    selection.choose_step("output")
    selection.choose_here((1, 1))
    selection.choose_step("weights")
    assert selection.cell == (1, 1)
    selection.choose_here(None)
    selection.choose_step("X")
    assert selection.cell is None
