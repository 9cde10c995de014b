"""Where a step opens, by the cell that was selected before; worked by hand."""

import pytest

from attnviewer.io import load
from attnviewer.ui.state.workbench import Workbench

IT, CAT = 4, 1


@pytest.fixture
def workbench(qapp):
    workbench = Workbench(load("example:two-heads"))  # d_v is 4
    yield workbench
    workbench.close()


def led(workbench, head, step, cell, other):
    selection = workbench.selection
    selection.choose_head(head)
    selection.choose_cell(step, cell)
    selection.choose_step(other)
    return selection.head, selection.cell


@pytest.mark.parametrize(("head", "column"), [(0, 2), (1, 6)])
def test_a_column_of_a_head_is_that_of_the_same_head_among_all(workbench, head, column):
    assert led(workbench, head, "heads", (IT, 2), "concatenated") == (
        head,
        (IT, column),
    )


def test_a_column_of_all_heads_leads_to_the_head_that_it_belongs_to(workbench):
    assert led(workbench, 0, "concatenated", (IT, 6), "heads") == (1, (IT, 2))
    workbench.selection.choose_step("concatenated")
    assert workbench.selection.cell == (IT, 6)


def test_columns_of_the_output_are_not_those_of_heads(workbench):
    assert led(workbench, 1, "concatenated", (IT, 6), "output") == (1, (IT, 6))


@pytest.mark.parametrize("step", ["heads", "output"])
def test_a_weight_leads_to_the_first_column_of_its_query(workbench, step):
    assert led(workbench, 1, "weights", (IT, CAT), step) == (1, (IT, 0))
    workbench.selection.choose_step("weights")
    assert workbench.selection.cell == (IT, CAT)


def test_a_weight_leads_to_the_first_column_of_its_head_among_all(workbench):
    assert led(workbench, 1, "weights", (IT, CAT), "concatenated") == (1, (IT, 4))


def test_a_weight_leads_to_its_query_and_to_its_key(workbench):
    assert led(workbench, 1, "weights", (IT, CAT), "Q") == (1, (IT, 0))
    assert led(workbench, 1, "weights", (IT, CAT), "V") == (1, (CAT, 0))


def test_an_output_leads_to_the_strongest_weight_of_its_query(workbench):
    assert led(workbench, 1, "output", (IT, 7), "weights") == (1, (IT, CAT))
