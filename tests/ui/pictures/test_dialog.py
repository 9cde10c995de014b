"""The dialog for pictures, opened and used as a user would."""

from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QWidget,
)

from attnviewer.ui.pictures.dialog import PictureDialog

LEFT = Qt.MouseButton.LeftButton
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """The answer of the file dialog; a list, to be changed."""
    answers = [tmp_path / "view.png"]
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(answers[-1]), "")
    )
    return answers


def open_dialog(window) -> PictureDialog:
    QTest.keyClick(window, Qt.Key.Key_P, KEYS)
    return window.findChildren(PictureDialog)[-1]


def choose(dialog, name, place) -> None:
    box = dialog.findChild(QComboBox, f"picture.{name}")
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(place):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentIndex() == place


def press(dialog, name) -> None:
    button = dialog.findChild(QPushButton, f"picture.{name}")
    assert button.isEnabled()
    QTest.mouseClick(button, LEFT)


def text(dialog, name) -> str:
    return dialog.findChild(QLabel, f"picture.{name}").text()


def test_it_writes_what_is_on_the_screen_and_tells_where(window, answer):
    size = window.step_view.page.size()
    dialog = open_dialog(window)
    press(dialog, "save")
    assert QImage(str(answer[-1])).size() == size * 2
    assert window.notice.text == f"{answer[-1]} written"


def test_a_name_without_an_ending_gets_that_of_the_format(window, answer, tmp_path):
    answer.append(tmp_path / "my.view")
    dialog = open_dialog(window)
    choose(dialog, "format", 1)
    press(dialog, "save")
    root = ET.parse(tmp_path / "my.view.svg").getroot()
    assert root.tag.endswith("svg")


def test_it_tells_how_large_the_picture_will_be(window):
    dialog = open_dialog(window)
    choose(dialog, "preset", 1)
    assert text(dialog, "size").startswith("85 × ")
    assert text(dialog, "size").endswith(" pixels")
    choose(dialog, "format", 2)
    assert text(dialog, "size").endswith(" mm")
    dialog.reject()


def test_pixels_are_asked_for_where_there_are_any(window):
    dialog = open_dialog(window)

    def asked():
        boxes = (dialog.findChild(QComboBox, f"picture.{n}") for n in PIXELS)
        return tuple(not box.isHidden() for box in boxes)

    assert asked() == (True, False)
    choose(dialog, "preset", 2)
    assert asked() == (False, True)
    choose(dialog, "format", 1)
    assert asked() == (False, False)
    dialog.reject()


PIXELS = ("scale", "resolution")


def test_the_preview_follows_every_choice(window):
    dialog = open_dialog(window)
    preview = dialog.findChild(QLabel, "picture.preview")
    seen = [preview.pixmap().toImage()]
    choose(dialog, "preset", 1)
    seen.append(preview.pixmap().toImage())
    choose(dialog, "theme", 1)
    seen.append(preview.pixmap().toImage())
    QTest.mouseClick(dialog.findChild(QCheckBox, "picture.caption"), LEFT)
    seen.append(preview.pixmap().toImage())
    for i, one in enumerate(seen):
        assert all(one != other for other in seen[i + 1 :])
    dialog.reject()


def test_choices_are_there_again_the_next_time(window, answer):
    dialog = open_dialog(window)
    choose(dialog, "preset", 3)
    choose(dialog, "resolution", 2)
    choose(dialog, "theme", 1)
    press(dialog, "save")
    dialog = open_dialog(window)
    assert dialog.style_chosen.preset.width_mm == 174
    assert dialog.style_chosen.resolution == 600
    assert dialog.style_chosen.theme.window == "#ffffff"
    dialog.reject()


def test_a_picture_that_cannot_be_written_is_refused_in_place(window, answer, tmp_path):
    answer.append(tmp_path / "gone" / "view.png")
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    assert "There is no folder" in text(dialog, "reason")
    answer.append(tmp_path / "view.png")
    press(dialog, "save")
    assert answer[-1].exists()


def test_a_picture_that_the_dialog_has_not_asked_about_is_kept(
    window, answer, tmp_path
):
    (tmp_path / "mine.png").write_text("somebody's")
    answer.append(tmp_path / "mine")
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    assert text(dialog, "reason").endswith("was not overwritten.")
    assert (tmp_path / "mine.png").read_text() == "somebody's"
    dialog.reject()


def test_a_cancelled_file_dialog_leaves_the_dialog_open(window, answer, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    dialog.reject()


def test_the_picture_can_be_copied_instead(window):
    size = window.step_view.page.size()
    dialog = open_dialog(window)
    choose(dialog, "scale", 0)
    press(dialog, "copy")
    assert QGuiApplication.clipboard().image().size() == size
    assert window.notice.text == "Picture copied"


def test_a_key_copies_the_view_as_it_was_last_wanted(window):
    dialog = open_dialog(window)
    choose(dialog, "scale", 2)
    press(dialog, "copy")
    QGuiApplication.clipboard().clear()
    alt = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(window, Qt.Key.Key_C, alt)
    image = QGuiApplication.clipboard().image()
    assert image.size() == window.step_view.page.size() * 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_small_screen_and_names_all_it_asks_for(window, theme):
    window.appearance.choose(theme)
    dialog = open_dialog(window)
    assert dialog.width() <= 1366
    assert dialog.height() <= 768
    asked = [*dialog.findChildren(QComboBox), *dialog.findChildren(QCheckBox)]
    for control in asked:
        assert control.objectName()
        assert control.accessibleName() or control.text()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
    dialog.reject()


def test_at_twice_the_size_of_texts_it_still_fits(window):
    window.appearance.set_text_size(200)
    dialog = open_dialog(window)
    assert isinstance(dialog, QWidget)
    assert dialog.width() <= 1366
    assert dialog.height() <= 768
    dialog.reject()
