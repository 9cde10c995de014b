"""Figures from Python: `attnviewer.figure`."""

import os
import subprocess
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

import attnviewer
from attnviewer import attention, figure, load_example, models
from attnviewer.compute import StepHead
from attnviewer.io import FileError
from tests.models import encoder_decoders
from tests.models.checkpoints import write_gpt2

RECORDED = Path(__file__).parents[2] / "data" / "recorded" / "gpt2.npz"
SVG = "{http://www.w3.org/2000/svg}"


def strings(content):
    return [text.text for text in ET.fromstring(content).iter(f"{SVG}text")]


@pytest.fixture
def document():
    return load_example("two-heads")


def test_the_content_is_returned_unless_there_is_a_path(document, tmp_path):
    content = figure(document)
    assert content.startswith(b"<?xml")
    path = tmp_path / "weights.pdf"
    assert figure(document, path=path) == path
    assert path.read_bytes().startswith(b"%PDF")
    assert figure(document, format="png").startswith(b"\x89PNG")
    other = tmp_path / "figure.dat"
    figure(document, path=str(other), format="svg")
    assert other.read_bytes() == content


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [("svg", "image/svg+xml"), ("png", "image/png"), ("pdf", "application/pdf")],
)
def test_a_notebook_shows_the_content_as_a_figure(document, kind, media_type):
    content = figure(document, format=kind)
    ((shown_as, data),) = content._repr_mimebundle_().items()
    assert shown_as == media_type
    assert data == (content.decode() if kind == "svg" else content)
    assert repr(content) == f"<Figure: {media_type}, {len(content):,} bytes>"


def test_a_trace_is_named_by_the_tokens_given_with_it():
    trace = attention(*np.eye(3)[None].repeat(3, axis=0))
    assert {"0", "1", "2"} <= set(strings(figure(trace)))
    found = strings(figure(trace, tokens=["a", "b", "c"], context_tokens="xyz"))
    assert found.count("a") == found.count("x") == 1
    with pytest.raises(ValueError, match=r"The 'tokens' must be 3. Got 2 instead"):
        figure(trace, tokens=["a", "b"])


def test_step_view_and_head_are_those_that_are_asked_for(document):
    assert "Score" in strings(figure(document, "scores", head=1))
    assert "Head 1" in strings(figure(document, view="heads"))
    assert figure(document, head=0) != figure(document, head=1)
    assert figure(document) == figure(document, head=0)


def test_lists_make_panels_with_letters(document):
    content = figure(document, ["scores", "weights"], head=1)
    found = strings(content)
    assert [text for text in found if text in ("(a)", "(b)", "(c)")] == ["(a)", "(b)"]
    both = figure([document, load_example("four-words")], caption=True)
    assert "word 1" in strings(both)
    assert "because" in strings(both)
    with pytest.raises(ValueError, match=r"of one length.* Got lengths 2, 3"):
        figure(document, ["scores", "weights"], head=[0, 1, 0])


def test_a_head_of_a_model_says_where_it_is_from(tmp_path):
    run = models.load(write_gpt2(tmp_path / "tiny", n_layer=2)).run([3, 1, 2])
    found = " ".join(strings(figure(run, layer=1, head=2, caption=True)))
    assert "Attention weights of head 2 of 4 in layer 1 of tiny, causal mask" in found
    assert figure(run, layer=0) != figure(run, layer=1)
    with pytest.raises((IndexError, ValueError), match="'layer' must be from 0 to 1"):
        figure(run, layer=2)


def test_a_layer_of_a_recording_is_drawn_as_its_trace():
    recorded = attnviewer.load_recording(RECORDED)
    own = figure(recorded.attention(1), head=1, tokens="abcde")
    assert figure(recorded, layer=1, head=1, tokens="abcde") == own
    with pytest.raises(IndexError, match=r"'layer' must be from 0 to 1\. Got 2"):
        figure(recorded, layer=2)


def test_a_difference_is_taken_from_another_document():
    one, other = load_example("four-words"), load_example("four-words-rerun")
    assert "B − A" in strings(figure(other, view="difference", compare=one))


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"step": "no"}, ValueError, "The 'step' must be one of X, "),
        ({"view": "no"}, ValueError, "The 'view' must be one of heatmap, "),
        ({"head": 2}, ValueError, "The 'head' must be from 0 to 1"),
        ({"head": 0.5}, TypeError, "head"),
        ({"overlay": True}, ValueError, "The 'overlay' must be given with lines"),
        ({"overlay": [], "view": "lines"}, ValueError, "must name at least one head"),
        ({"overlay": [2], "view": "lines"}, ValueError, "The 'head' must be from 0"),
        ({"combine": "median"}, ValueError, "The 'combine' must be one of mean, max"),
        ({"combine": "mean", "view": "how"}, ValueError, "The 'view' of combined"),
        ({"layer": 0}, ValueError, "The 'layer' must be that of a model's run"),
        ({"tokens": ["a"]}, ValueError, "The 'tokens' must be given with a trace"),
        ({"width": "1mm"}, ValueError, "The 'width' must be from 40 to 500 mm"),
        ({"font": "no such"}, ValueError, "The 'font' must be installed"),
        ({"format": "gif"}, ValueError, "The 'format' must be one of png, svg, pdf"),
        ({"path": "a.txt"}, ValueError, "The 'format' must be one of png, svg, pdf"),
        ({"dpi": 1, "format": "png"}, ValueError, "The 'dpi' must be from 72"),
    ],
)
def test_what_cannot_be_is_refused(document, options, error, reason):
    with pytest.raises(error, match=reason):
        figure(document, **options)


def test_other_things_and_batches_are_refused(tmp_path):
    with pytest.raises(TypeError, match="a Trace, a ModelTrace or a recording"):
        figure(np.eye(3))
    batch = attention(*np.ones((3, 2, 1, 3, 4)))
    with pytest.raises(ValueError, match=r"of one batch item. Got 2 instead"):
        figure(batch)
    with pytest.raises(FileError, match="There is no folder"):
        figure(load_example("four-words"), path=tmp_path / "gone" / "a.svg")


@pytest.mark.parametrize("view", ["heatmap", "heads"])
def test_a_long_step_is_read_once_in_single_precision(document, monkeypatch, view):
    monkeypatch.setattr("attnviewer.compute.engine.storing.MOST_STORED", 0)
    monkeypatch.setattr("attnviewer.compute.engine.engine.EXACT_TOKENS", 0)
    monkeypatch.setattr("attnviewer.compute.engine.engine._REMEMBERED", 0)
    monkeypatch.setattr("attnviewer.compute.steps.KEPT_WHOLE", 0)
    monkeypatch.setattr("attnviewer.ui.figures.matrix.MOST", 2)
    overview, read = StepHead.overview, []

    def noted(matrix, *options, **others):
        read.append(overview(matrix, *options, **others))
        return read[-1]

    monkeypatch.setattr(StepHead, "overview", noted)
    told = []
    # Its labels do not fit: it is laid out in two widths.
    figure(document, view=view, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert [one.extremes.highs.dtype for one in read] == [np.float32] * (
        document.spec.n_heads if view == "heads" else 1
    )


def test_an_application_that_runs_is_left_as_it_is(document, qapp):
    before = qapp.font(), qapp.styleSheet(), len(QApplication.topLevelWidgets())
    figure(document, format="png")
    assert QApplication.instance() is qapp
    after = qapp.font(), qapp.styleSheet(), len(QApplication.topLevelWidgets())
    assert after == before


def test_figures_can_be_drawn_in_threads_once_qt_is_there(document, qapp):
    drawn = []
    thread = threading.Thread(target=lambda: drawn.append(figure(document)))
    thread.start()
    thread.join()
    assert drawn == [figure(document)]


def test_no_display_and_no_window_are_needed_and_the_environment_stays():
    script = """
import os, threading, attnviewer
from attnviewer import figure, load_example
def early():
    try:
        figure(load_example("four-words"))
    except RuntimeError as error:
        print(error)
thread = threading.Thread(target=early); thread.start(); thread.join()
assert figure(load_example("four-words"), format="pdf").startswith(b"%PDF")
print(os.environ.get("QT_QPA_PLATFORM"))
"""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    first, last = done.stdout.splitlines()
    assert first.startswith("The first figure must be drawn in the main thread")
    assert last == "None"


def test_the_package_offers_it():
    assert "figure" in dir(attnviewer)
    assert attnviewer.figure is figure


def test_an_operation_is_drawn_for_the_row_that_the_example_is_about(document):
    found = " ".join(strings(figure(document, view="how", caption=True)))
    assert "softmax of row “it”" in found
    assert "head 1 of 2" in found
    # The weight of head 1 from “it” to “cat” is e^4.5 / (e^4.5 + 4) = 0.957.
    assert "The query “it” gives 0.96 of its attention to “cat”" in found
    other = " ".join(strings(figure(document, view="how", head=0)))
    assert "softmax of row “The”" not in other  # which sees nothing but itself


def test_an_operation_is_drawn_for_the_framed_cell_if_there_is_one(document):
    found = strings(figure(document, view="how", cell=(6, 0), head=1))
    assert "softmax of row “tired”" in found


def test_a_figure_of_cross_attention_names_keys_by_the_encoder(tmp_path):
    folder = encoder_decoders.load("t5").write(tmp_path / "t5")
    run = models.load(folder).run([3, 4, 5, 6], [0, 8, 9]).part("cross")
    told = strings(figure(run, layer=0, head=1))
    named = [text for text in told if text.startswith("#")]
    assert sorted(named) == ["#0", "#3", "#4", "#5", "#6", "#8", "#9"]
