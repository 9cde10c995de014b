"""What an input cell is used for, against what changes when it changes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import multi_head_attention
from attnviewer.compute import Cell, Use, run, used_by

from .variants import traces


def test_a_query_weight_is_used_by_its_column_and_by_all_that_follows() -> None:
    x, w = np.ones((3, 4)), np.ones((4, 4))
    trace = multi_head_attention(x, w, w, w, n_heads=2)
    uses = used_by(trace, Cell("W_Q", (0, 3)))
    # Columns 2 and 3 are those of head 1.
    assert uses[0] == Use("Q", columns=(1,), heads=(1,))
    reached = {use.step for use in uses}
    assert reached == {"Q", "scores", "scaled", "weights", "heads", "output"}


def test_a_value_weight_reaches_no_weight() -> None:
    x, w = np.ones((3, 4)), np.ones((4, 4))
    uses = used_by(multi_head_attention(x, w, w, w), Cell("W_V", (1, 2)))
    assert uses[:2] == [
        Use("V", columns=(2,), heads=(0,)),
        Use("heads", columns=(2,)),
    ]


@settings(max_examples=60)
@given(traces(), st.data())
def test_nothing_else_changes_with_an_input_cell(trace, data) -> None:
    names = [name for name in trace.spec.input_names if name != "mask"]
    name = data.draw(st.sampled_from(names))
    shape = trace.shape(name)
    index = tuple(data.draw(st.integers(0, size - 1)) for size in shape)
    inputs = {n: trace[n].copy() for n in trace.spec.input_names}
    inputs[name][index] = 0.37
    other = run(trace.spec, inputs)
    uses = {use.step: use for use in used_by(trace, Cell(name, index))}
    for step, stage in trace.stages.items():
        if not stage.inputs:
            continue
        with np.errstate(invalid="ignore"):
            far = abs(trace[step] - other[step]) > 1e-9  # (..., rows, columns)
        changed = {place[-3:] for place in map(tuple, np.argwhere(far).tolist())}
        if changed:
            use = uses[step]
            for *head, row, column in changed:
                assert use.rows is None or row in use.rows
                assert use.columns is None or column in use.columns
                per_head = stage.per_head and len(head) == 1
                assert not per_head or use.heads is None or head[0] in use.heads
