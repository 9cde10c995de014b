import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document


@pytest.fixture
def open_long(window):
    """Return what opens tokens in the window, with the heatmap of their weights."""

    def open_(tokens, spec=None):
        rng = np.random.default_rng(2)
        matrices = {name: rng.normal(size=(2, 2)) for name in ("W_Q", "W_K", "W_V")}
        matrices["X"] = rng.normal(size=(len(tokens), 2))
        window.workbench.open(Document("Long", tokens, matrices, spec or Spec()))
        window.step_view.set_view("heatmap")
        window.workbench.engine.flush()
        QApplication.processEvents()
        return window

    return open_
