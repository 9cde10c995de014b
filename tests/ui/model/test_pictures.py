"""Models that read pictures, in the window."""

import json

import numpy as np
import pytest
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.document import SetCells
from attnviewer.models.layer_documents import link_of
from tests.models.vision import recorded_vision as recorded


def _write(name, folder):
    folder.mkdir()
    told, _ = recorded.load(name)
    return recorded.write(told, folder)


@pytest.fixture
def picture(tmp_path):
    image = QImage(20, 14, QImage.Format.Format_RGB888)
    image.fill(0x336699)
    path = tmp_path / "blue.png"
    assert image.save(str(path))
    return path


def a_picture_is_opened_over_a_model_and_the_head_edited(
    open_model, window, qtbot, tmp_path, picture
):
    window.opener.open(str(picture))
    assert "First open a model" in window.notice.text
    folder = _write("dinov2", tmp_path / "dino")
    config = {"image_processor_type": "BitImageProcessor", "size": 12, "crop_size": 12}
    text = json.dumps(config)
    (folder / "preprocessor_config.json").write_text(text, encoding="utf-8")
    model = open_model(folder)
    document = window.workbench.document
    assert document.grid.n_special == 1
    assert document.grid.image.shape == (12, 12, 3)
    ribbon = window.ribbon
    told = ribbon.findChild(QLabel, "ribbon.hint").text()
    assert told.startswith("attends to the coloured patches")
    assert ribbon.edit.text() == "Change image"
    window.opener.open(str(picture))
    qtbot.waitUntil(lambda: model.text == str(picture) and model.heads is not None)
    QApplication.processEvents()
    document = window.workbench.document
    colours = document.grid.image.reshape(-1, 3)
    np.testing.assert_allclose(colours, np.full((144, 3), (0x33, 0x66, 0x99)), atol=1)
    assert link_of(document).run.encoded.picture is not None
    window.workbench.model.set_text(str(tmp_path / "none.png"))
    qtbot.waitUntil(lambda: not model.computing)
    assert model.text == str(picture)
    window.findChild(QAction, "action.model.edit_head").trigger()
    qtbot.waitUntil(lambda: window.workbench.document.checkpoint.head == 0)
    assert window.workbench.document.grid.n_tokens == 10


def clip_goes_from_text_to_picture_and_back(
    open_model, window, qtbot, tmp_path, picture
):
    folder = _write("clip", tmp_path / "clip")
    config = {"image_processor_type": "CLIPImageProcessor", "size": 12, "crop_size": 12}
    text = json.dumps({"image_processor": config})
    (folder / "processor_config.json").write_text(text, encoding="utf-8")
    model = open_model(folder)
    assert not model.experiment.run.model.reads_pictures
    window.opener.open(str(picture))
    qtbot.waitUntil(lambda: model.text == str(picture) and model.heads is not None)
    assert model.experiment.run.model.reads_pictures
    refused: list[tuple[str, str]] = []
    model.sentence_refused.connect(lambda why, text: refused.append((text, why)))
    model.compare("3 4")
    qtbot.waitUntil(lambda: len(refused) == 1)
    assert refused[0][0] == "3 4"
    assert "must be read by the same part, clip vision" in refused[0][1]
    window.workbench.edits.submit(SetCells("", "W_V", 0, 0, np.full((1, 1), 5.0)))
    model.put_back(window.document)
    qtbot.waitUntil(lambda: bool(model.experiment.patches) and not model.computing)
    model.set_text("3 4 5")
    qtbot.waitUntil(lambda: len(refused) == 2)
    assert refused[1][1].startswith("Another part of the model can be shown once")
    assert model.experiment.patches
    model.take_out()
    qtbot.waitUntil(lambda: not model.experiment.patches and not model.computing)
    model.set_text("3 4 5")
    qtbot.waitUntil(lambda: model.text == "3 4 5" and model.heads is not None)
    assert model.experiment.run.ids == (3, 4, 5)
    assert window.ribbon.edit.text() == "Edit sentence"
    QApplication.processEvents()


def test_models_read_pictures_and_clip_texts_too(
    open_model, window, qtbot, tmp_path, picture
):
    a_picture_is_opened_over_a_model_and_the_head_edited(
        open_model, window, qtbot, tmp_path, picture
    )
    clip_goes_from_text_to_picture_and_back(
        open_model, window, qtbot, tmp_path, picture
    )
