"""Saved heads, whose model runs over their input again."""

import numpy as np
import pytest

from attnviewer.models import load
from attnviewer.models.layer_documents import attention_document
from attnviewer.ui.state.model.reconnect import Reconnect
from tests.models.vision import recorded_vision as recorded


def test_an_image_that_was_given_as_an_array_is_said_to_be_unknown(tmp_path) -> None:
    folder = recorded.write(recorded.load("dinov2")[0], tmp_path)
    run = load(folder).run(np.zeros((3, 12, 12)))
    document = attention_document(run, 0, 1)
    with pytest.raises(ValueError, match="is not known: it was given as an array"):
        Reconnect(folder, document, anyway=False).run()
