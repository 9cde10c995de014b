"""What is asked of every stage, whatever its kind."""

import ast
import re
from pathlib import Path

import numpy as np

import attnviewer
from attnviewer.compute import stages
from attnviewer.compute.arrays import Part
from attnviewer.compute.normalizers import NORMALIZERS
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages import Given, Mix, Normalize, PointWise, Score

PACKAGE = Path(attnviewer.__file__).parent
ASKED = re.compile(r"isinstance\([^()]*\b(Mix|Normalize|Comparison|PointWise|Stored)\b")


class HideLast(PointWise):
    """Hides the last key from every query."""

    def __init__(self) -> None:
        super().__init__("masked", ("scores",), "scores", "hide", ("queries", "keys"))

    def apply(self, scores, part, *others) -> None:
        np.copyto(scores, -np.inf, where=self.hidden(scores, part))

    def hidden(self, scores, part, *others):
        return np.arange(scores.shape[-1]) == 2

    def seen(self, lead, first, last, n_keys) -> slice:
        return slice(0, n_keys - 1)

    def backward(self, inputs, output, gradient):
        raise NotImplementedError

    def explain(self, steps, index, limit):
        raise NotImplementedError


def test_a_stage_of_another_kind_hides_keys_as_a_mask_does() -> None:
    names = [Given(name) for name in "QKV"]
    normalize = Normalize("masked", NORMALIZERS["softmax"]())
    pipeline = Pipeline([*names, Score(), HideLast(), normalize, Mix("output")])
    values = {name: np.eye(3) for name in "QKV"}
    scores = Scores(pipeline, values)
    hidden = scores.hidden(Part())
    np.testing.assert_array_equal(hidden, [[False, False, True]] * 3)
    assert scores.reach((), 0, 2) == slice(0, 2)
    masked = [[1, 0, -np.inf], [0, 1, -np.inf], [0, 0, -np.inf]]
    np.testing.assert_array_equal(scores.last(Part()), masked)


def test_only_the_pipeline_asks_what_kind_a_stage_is() -> None:
    asking = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if ASKED.search(path.read_text("utf-8"))
    }
    # What pins and mistakes change of a stage depends on its base class.
    assert asking == {"compute/sections.py", "compute/stages/pinned.py"}


def test_no_view_decides_by_the_class_of_a_stage() -> None:
    kinds = set(stages.__all__) - {"Stage", "Axis", "Steps"}
    deciding = set()
    for path in (PACKAGE / "ui").rglob("*.py"):
        text = path.read_text("utf-8")
        if "attnviewer.compute.stages" not in text:
            continue
        tree = ast.parse(text)
        imported = {
            name.asname or name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("attnviewer.compute.stages")
            for name in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.arg | ast.AnnAssign):
                node.annotation = ast.Constant(None)
            elif isinstance(node, ast.FunctionDef):
                node.returns = None
        read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if imported & kinds & read:
            deciding.add(path.relative_to(PACKAGE).as_posix())
    assert deciding == set()
