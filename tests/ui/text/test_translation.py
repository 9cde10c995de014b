"""Texts that come from below the window, where Qt is not known, are translated too."""

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QComboBox, QWidget

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.models import load
from attnviewer.models.experiment import Experiment
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest
from attnviewer.ui.views.inputs.fills.choices import choices
from attnviewer.ui.views.spec.spec_bar import SpecBar
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.models.checkpoints import write_gpt2


class Loud(QTranslator):
    def isEmpty(self):
        return False

    def translate(self, context, text, disambiguation=None, n=-1):
        return text.upper()


@pytest.fixture
def loud(qapp):
    translator = Loud()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def bar(qtbot, loud, make_edits):
    document = Document("One", ["a"], {"X": [[1.0]]}, Spec(projected=False))
    window = QWidget()
    qtbot.addWidget(window)
    bar = SpecBar(make_edits(document, window), ReasonBubble(window), window)
    bar.set_document(document)
    yield bar
    bar.release()


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        (
            "variant",
            [
                *("SIMPLIFIED SELF-ATTENTION", "SELF-ATTENTION"),
                *("MULTI-HEAD ATTENTION", "CROSS-ATTENTION"),
            ],
        ),
        (
            "mask",
            [
                *("NONE", "CAUSAL", "WINDOW", "PADDING", "PREFIX", "BLOCK"),
                "PAINT…",
            ],
        ),
        (
            "normalizer",
            [
                *("SOFTMAX", "PLAIN SUM", "SOFTMAX1", "SIGMOID"),
                *("SPARSEMAX", "1.5-ENTMAX", "HARDMAX", "UNCHANGED"),
            ],
        ),
    ],
)
def test_choices_are_named_in_the_language_of_the_window(bar, name, titles):
    box = bar.findChild(QComboBox, f"spec.{name}")
    assert [box.itemText(index) for index in range(box.count())] == titles


def test_fills_are_named_in_the_language_of_the_window(loud):
    titles = [choice.title for choice in choices().values()]
    assert titles[:4] == ["ZEROS", "ONES", "ONE NUMBER", "IDENTITY"]
    assert titles == [title.upper() for title in titles]


def test_what_a_model_is_compared_with_is_named_in_the_language_of_the_window(
    loud, tmp_path
):
    run = load(write_gpt2(tmp_path)).run([3, 1])
    look = LayerJob(
        ModelRequest(Experiment.over(run).compared_with(run), ModelLocation(0))
    )
    look.run()
    assert look.compared.title == "THE OTHER SENTENCE"
