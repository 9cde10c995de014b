"""Results show themselves in Jupyter: well formed, bounded, and equal when copied."""

import copy
import json
import pickle
import re
import shutil
from xml.etree import ElementTree

import numpy as np
import pytest

import attnviewer
from attnviewer import models, tasks
from attnviewer.compute.curve_svg import curve_svg
from attnviewer.compute.matrix_svg import matrix_svg
from attnviewer.goal_seek import Proposal
from attnviewer.models import Grid, Logit, Site
from attnviewer.models.detectors import DETECTORS
from attnviewer.paths import resource
from attnviewer.training import Task, Training

_COLOURS = {"none", "currentColor", "rgb(38,120,190)", "rgb(205,110,20)"}
"""What both light and dark pages can have."""
_HOSTILE = "<script>alert('&')</script>"


def _pictures(html: str) -> list[ElementTree.Element]:
    """Return the pictures of a page, parsed strictly, after a look at their colours."""
    found = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    pictures = [ElementTree.fromstring(text) for text in found]
    for element in (element for picture in pictures for element in picture.iter()):
        for name in ("fill", "stroke"):
            assert element.get(name, "none") in _COLOURS
    return pictures


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> models.ModelTrace:
    """Return a run whose tokens are markup."""
    folder = tmp_path_factory.mktemp("models") / "hostile"
    shutil.copytree(resource("notebooks", "induction-model"), folder)
    rules = folder / "tokenizer.json"
    found = json.loads(rules.read_text("utf-8"))
    vocabulary = found["model"]["vocab"]
    for name, word in ((_HOSTILE, "bell"), ("nul\x00 & bell\x07", "red")):
        vocabulary[name] = vocabulary.pop(word)
    rules.write_text(json.dumps(found), "utf-8")
    model = models.load(folder)
    tokens = ["old", "sailor", "nul\x00 & bell\x07", _HOSTILE, "under"]
    return model.run([*tokens, *tokens[:4]])


def _trained(task: Task) -> Training:
    document = attnviewer.load_example("four-words")
    training = attnviewer.train(document, task, optimizer="sgd", lr=0.01, steps=3)
    assert len(list(training)) == 3
    return training


def _results(run: models.ModelTrace) -> dict[str, object]:
    metric = Logit(_HOSTILE)
    document = attnviewer.load_example("four-words")
    changes = {"W_Q": np.eye(3), "temperature": np.array(0.5)}
    residuals, trace = np.array([0.25]), document.compute()
    proposal = Proposal(False, changes, 1.5, residuals, "a < b", None, trace, ())
    return {
        "run": run,
        "trace": run.attention(1),
        "document": attnviewer.document_of(run.attention(0)),
        "heads": models.head_table(run, detectors=DETECTORS, needle=range(0, 2)),
        "ablation": models.ablate(run, metric=metric),
        "patching": models.patch(run, run.model.run([1] * 9), "stream", metric),
        "attribution": run.attribution(_HOSTILE),
        "shares of a score": run.score_parts(1, 2, -1, 4),
        "lens": run.logit_lens(),
        "circuit": models.circuit(run.model, 1, 2, "OV"),
        "composition": models.composition(run.model),
        "attention gradient": models.attention_gradient(run, metric),
        "rollout": models.rollout(run),
        "patterns": attnviewer.patterns.survey_patterns(run.attention(0)),
        "replaced": run.with_activations({Site("heads", 0, 3): lambda z: 0 * z}),
        "training by position": _trained(tasks.copy_previous()),
        "training by output": _trained(tasks.match("output", np.eye(4, 3))),
        "training by words": _trained(tasks.next_token()),
        "proposal": proposal,
        "diagnosis": attnviewer.diagnose(
            dict.fromkeys("QKV", np.eye(3)), {"weights": np.eye(3)}
        ),
    }


_WITH_PICTURES = {
    *("ablation", "patching", "attribution", "circuit", "composition", "rollout"),
    *("attention gradient", "training by position", "training by output"),
    *("training by words", "run", "replaced"),
}


def test_results_are_well_formed_harmless_and_the_same_when_copied(hostile) -> None:
    for name, result in _results(hostile).items():
        html = result._repr_html_()
        assert "<script" not in html, name
        assert len(html) < 250_000, name
        pictures = _pictures(html)
        assert bool(pictures) == (name in _WITH_PICTURES), name
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert again._repr_html_() == html, name


def test_weights_that_are_more_than_a_table_holds_are_a_picture() -> None:
    x = np.random.default_rng(1).normal(size=(40, 4))
    html = attnviewer.attention(x, x, x)._repr_html_()
    (picture,) = _pictures(html)
    assert picture.get("viewBox") == "0 0 40 40"
    large = np.zeros((600, 4))
    html = attnviewer.attention(large, large, large)._repr_html_()
    assert len(html) < 60_000


def test_a_grid_with_too_many_cells_for_labels_is_a_picture_without() -> None:
    values = np.random.default_rng(1).normal(size=(132, 132))
    labels = [f"{_HOSTILE} {number}" for number in range(132)]
    html = Grid(values, labels, labels, "K-composition")._repr_html_()
    (picture,) = _pictures(html)
    assert "<script" not in html
    assert not list(picture.iter("{http://www.w3.org/2000/svg}text"))
    assert len(html) < 400_000


def test_cells_of_one_colour_side_by_side_are_one_rectangle() -> None:
    values = np.array([[1.0, 1.0, 0.0], [np.nan, -0.5, 1.0]])
    html = matrix_svg(values)
    (picture,) = _pictures(html)
    paths = [
        (path.get("d"), path.get("fill-opacity"))
        for path in picture
        if path.tag.endswith("path")
    ]
    assert paths == [("M1 1h1v1h-1z", "0.5"), ("M0 0h2v1h-2zM2 1h1v1h-1z", "1")]


def test_a_curve_has_its_ends_as_text_and_a_gap_where_it_is_not_finite() -> None:
    (picture,) = _pictures(curve_svg([4.0, np.nan, 1.0, 2.0]))
    texts = [element.text for element in picture if element.tag.endswith("text")]
    assert texts == ["4.0000", "1.0000"]
    (path,) = [element for element in picture if element.tag.endswith("path")]
    assert re.sub(r"[\d. ]+", "", path.get("d")) == "MML"
    heights = [float(pair.split()[1]) for pair in re.split("[ML]", path.get("d"))[1:]]
    assert heights[0] < heights[2] < heights[1]
    assert curve_svg([1.0, np.inf]) == ""
    assert len(curve_svg(np.arange(1e6))) < 20_000
