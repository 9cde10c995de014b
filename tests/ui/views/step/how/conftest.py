"""Documents of every kind, and the pictures of their steps."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication

from attnviewer.document import Replace, spec_edit, variant_spec
from attnviewer.io import load
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.building import Build
from attnviewer.ui.state.live import NO_VEIL
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.views.step.how.drawing import Bars
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.pictures import compose
from attnviewer.ui.views.step.how.subject import Subject
from tests.ui.test_every_spec import GIVEN, SPECS


def document_of(name):
    """Return a document of a variant."""
    variant, changes = SPECS[name]
    if variant in GIVEN:
        document = GIVEN[variant]()
    else:
        document = load("example:two-heads")
        document.apply(spec_edit(document, variant_spec(document, variant), "Change"))
    spec = replace(document.spec, **changes)
    document.apply(spec_edit(document, spec, "Change"))
    if "context" in document.matrices and variant not in GIVEN:
        matrices = {"context": np.arange(24.0).reshape(3, 8) / 10}
        for matrix in ("bias", "mask"):
            if matrix in document.matrices:
                matrices[matrix] = document.matrix(matrix)[:, :3]
        tokens = ["un", "deux", "trois"]
        document.apply(Replace("", matrices=matrices, context_tokens=tokens))
    return document


def bars_of(drawing):
    """Return all bars of a picture."""
    return [bar for s in drawing.shapes if isinstance(s, Bars) for bar in s.each()]


@pytest.fixture
def drawn(qapp):
    """Return a function that composes the picture of a step of a document."""
    newest = {}

    def computed_of(document):
        """Compute a document once, until it is edited."""
        if newest.get("of") != (document, document.revision):
            newest["of"] = document, document.revision
            newest["is"] = Build.of(document, None).run().computed(None, anew=True)
        return newest["is"]

    def draw(
        document,
        step,
        cell=(0, 0),
        *,
        head=0,
        room=(1000, 660),
        progress=None,
        veil=NO_VEIL,
    ):
        computed = computed_of(document).without(veil)
        shown = DisplayedStep(computed, step, head, AUTOMATIC, LIGHT)
        measures = Measures(QGuiApplication.font())
        subject = Subject(shown, cell, lambda _: AUTOMATIC, measures, progress)
        return compose(subject, QRectF(0, 0, *room)), computed.trace

    return draw
