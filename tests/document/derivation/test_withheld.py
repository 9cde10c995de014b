"""Numbers that follow from withheld ones are told, but not worked out."""

import numpy as np

from attnviewer.compute import Cell, Slip, Spec, run
from attnviewer.compute.withheld import withheld
from attnviewer.document import Derivation, Labels
from attnviewer.document.derivation import worked_latex


def all_of(derivation, worked):
    """Yield a node and, opened, everything below it."""
    derivation.open(worked)
    yield worked
    for part in worked.below:
        yield from all_of(derivation, part)


def test_what_follows_from_a_withheld_step_is_told_without_working_it_out():
    draw = np.random.default_rng(3).standard_normal
    inputs = {name: draw((3, 4)) for name in "QKV"}
    trace = run(Spec(projected=False, given=True), inputs)
    told = withheld(trace, ["scores"])
    labels = Labels(tuple("abc"), tuple("abc"))
    derivation = Derivation(told, labels, withheld={"scores"})
    root = derivation.of(Cell("output", (2, 1)))
    nodes = list(all_of(derivation, root))
    scaled = [node for node in nodes if node.cell.step == "scaled"]
    assert {node.cell.index[0] for node in scaled} == {2}
    for node in scaled:
        assert node.formula.value == trace["scaled"][node.cell.index]
        assert (node.steps, node.cells) == ((), ())
        assert node.formula.note == "Hidden until you answer: scores."
    assert not any(node.cell.step == "scores" for node in nodes)
    assert "nan" not in worked_latex(root, derivation).lower()


def test_while_a_mistake_is_asked_for_no_number_is_worked_out():
    draw = np.random.default_rng(3).standard_normal
    inputs = {name: draw((3, 4)) for name in "QKV"}
    slip = Slip("softmax-over-queries")
    trace = run(Spec(projected=False, given=True, mistakes=(slip,)), inputs)
    told = withheld(trace, (), mistakes=True)
    labels = Labels(tuple("abc"), tuple("abc"))
    derivation = Derivation(told, labels, works_out=False)
    for step in ("scores", "scaled", "weights", "output"):
        node = derivation.of(Cell(step, (2, 1)))
        # The number that is there, not the one of the right rule.
        assert node.formula.value == trace[step][2, 1]
        assert (node.steps, node.cells) == ((), ())
        assert node.formula.note == "Worked out once you have answered."
    assert derivation.of(Cell("Q", (0, 0))).given
