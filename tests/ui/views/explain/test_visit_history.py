"""The history of visited cells."""

import numpy as np

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.ui.state.selection import Moves
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.explain.visit_history import VisitHistory


def test_tokens_are_matched_once_for_all_visited_cells(qapp, monkeypatch):
    document = Document("", ["a", "b"], {"X": np.eye(2)}, Spec(projected=False))
    workbench = Workbench(document)
    history = VisitHistory(workbench.engine, workbench.selection)
    for step in ("scores", "weights", "scores", "output", "weights"):
        workbench.selection.choose_cell(step, (0, 1))
    matched = []
    between = Moves.between
    monkeypatch.setattr(
        Moves, "between", lambda *a: matched.append(a[2]) or between(*a)
    )
    document.apply(Replace("Move", tokens=("b", "a"), matrices={"X": np.eye(2)[::-1]}))
    workbench.engine.flush()
    own = [axes for axes in matched if axes == ("queries", "keys")]
    assert len(own) == 2  # one of them for the selection
    history.back()
    history.back()
    assert workbench.selection.cell == (1, 0)
    workbench.close()
