"""The dialog for pictures, opened and used as a user would."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from attnviewer.document import SetCells
from attnviewer.ui.figures.typeface import typeface
from attnviewer.ui.pictures.dialog import PictureDialog
from attnviewer.ui.state import engine
from attnviewer.ui.state.building import Build
from tests.mnemonics import mnemonics_of
from tests.ui.gates import gated

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier
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


def open_on_the_view(window) -> PictureDialog:
    dialog = open_dialog(window)
    choose(dialog, "kind", 1)
    return dialog


def check(dialog, name) -> None:
    box = dialog.findChild(QCheckBox, f"picture.{name}")
    # On the box itself: its row may be wider than its text.
    QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))


def press(dialog, name) -> None:
    button = dialog.findChild(QPushButton, f"picture.{name}")
    assert button.isEnabled()
    QTest.mouseClick(button, LEFT)


def text(dialog, name) -> str:
    return dialog.findChild(QLabel, f"picture.{name}").text()


def check_it_writes_what_is_on_the_screen_tells_where_and_ends_the_name(
    window, answer, tmp_path
):
    size = window.step_view.page.size()
    dialog = open_on_the_view(window)
    choose(dialog, "format", 0)
    press(dialog, "save")
    assert QImage(str(answer[-1])).size() == size * 2
    assert window.notice.text == f"{answer[-1]} written"

    answer.append(tmp_path / "my.view")
    dialog = open_dialog(window)
    choose(dialog, "format", 1)
    press(dialog, "save")
    root = ET.parse(tmp_path / "my.view.svg").getroot()
    assert root.tag.endswith("svg")


def check_a_figure_is_offered_first_in_a_width_that_can_be_typed(
    window, answer, tmp_path
):
    dialog = open_dialog(window)
    assert dialog.choice.kind == "figure"
    choose(dialog, "width", 3)
    press(dialog, "save")
    image = QImage(str(answer[-1]))
    assert image.width() == round(174 / 25.4 * 300)
    assert image.width() / image.dotsPerMeterX() == pytest.approx(0.174, rel=1e-3)

    answer.append(tmp_path / "view.svg")
    dialog = open_dialog(window)
    choose(dialog, "format", 1)
    choose(dialog, "width", 4)
    spin = dialog.findChild(QSpinBox, "picture.millimetres")
    assert not spin.isHidden()
    spin.selectAll()
    QTest.keyClicks(spin, "120")
    assert text(dialog, "size").startswith("120 × ")
    press(dialog, "save")
    assert ET.parse(answer[-1]).getroot().get("width") == "120.0000mm"


def check_what_is_asked_fits_the_picture_and_tells_its_size(window):
    dialog = open_dialog(window)
    assert text(dialog, "size").startswith("85 × ")
    assert text(dialog, "size").endswith(" pixels")
    choose(dialog, "format", 2)
    assert text(dialog, "size").endswith(" mm")
    dialog.reject()

    dialog = open_dialog(window)

    def asked():
        controls = (dialog.findChild(QWidget, f"picture.{n}") for n in ASKED)
        return [control.isVisible() for control in controls]

    assert asked() == [True, False, False]
    choose(dialog, "format", 1)
    assert asked() == [False, True, False]
    choose(dialog, "kind", 1)
    assert asked() == [False, False, False]
    choose(dialog, "format", 0)
    assert asked() == [False, False, True]
    dialog.reject()

    window.step_view.set_view("difference")
    dialog = open_dialog(window)
    assert "something to compare with" in text(dialog, "reason")
    assert not dialog.findChild(QPushButton, "picture.save").isEnabled()
    choose(dialog, "kind", 1)
    assert not text(dialog, "reason")
    assert dialog.findChild(QPushButton, "picture.save").isEnabled()
    dialog.reject()


ASKED = ("dpi", "outlines", "scale")


def test_the_preview_follows_every_choice(window):
    window.step_view.set_view("heatmap")
    window.workbench.selection.choose_cell("weights", (1, 2))
    dialog = open_dialog(window)
    preview = dialog.findChild(QLabel, "picture.preview")
    seen = [preview.pixmap().toImage()]

    def look():
        seen.append(preview.pixmap().toImage())

    choose(dialog, "width", 3)
    look()
    if typeface("serif").family != typeface("sans").family:
        choose(dialog, "font", 1)
        look()
    choose(dialog, "ground", 1)
    look()
    for name in ("cell", "caption"):
        check(dialog, name)
        look()
    edit = dialog.findChild(QPlainTextEdit, "picture.caption_text")
    QTest.keyClicks(edit, "Our own: ")
    look()
    choose(dialog, "kind", 1)
    look()
    choose(dialog, "theme", 1)
    look()
    for i, one in enumerate(seen):
        assert all(one != other for other in seen[i + 1 :]), i
    dialog.reject()


def test_the_caption_is_proposed_and_stays_once_it_is_edited(window, answer, tmp_path):
    window.step_view.set_view("heatmap")
    answer.append(tmp_path / "view.svg")
    window.workbench.selection.choose_cell("weights", (1, 2))
    dialog = open_dialog(window)
    choose(dialog, "format", 1)
    check(dialog, "caption")
    edit = dialog.findChild(QPlainTextEdit, "picture.caption_text")
    assert edit.toPlainText() == (
        "Attention weights, no mask, scaled dot product. "
        "The query “word 1” gives 0.75 of its attention to “word 3”."
    )
    check(dialog, "cell")
    assert edit.toPlainText().endswith("query “word 2” and key “word 3” is framed.")
    edit.selectAll()
    QTest.keyClicks(edit, "Ours.")
    check(dialog, "cell")
    assert edit.toPlainText() == "Ours."
    press(dialog, "save")
    assert ">Ours.</text>" in answer[-1].read_text(encoding="utf-8")


def test_choices_are_there_again_the_next_time(window, answer):
    dialog = open_dialog(window)
    choose(dialog, "width", 2)
    choose(dialog, "font", 1)
    choose(dialog, "ground", 1)
    check(dialog, "cell")
    press(dialog, "save")
    dialog = open_dialog(window)
    style = dialog.choice.figure
    assert (style.width_mm, style.font, style.dark) == (114, "serif", True)
    assert dialog.choice.with_cell
    choose(dialog, "kind", 1)
    choose(dialog, "theme", 1)
    press(dialog, "save")
    dialog = open_dialog(window)
    assert dialog.choice.kind == "view"
    assert dialog.choice.view.theme.window == "#ffffff"
    dialog.reject()


def test_colours_and_threshold_are_those_of_the_window(window, answer, tmp_path):
    window.step_view.set_view("heatmap")
    answer.append(tmp_path / "view.svg")
    looks = window.workbench.looks
    look = replace(looks.of("weights"), policy="typed", typed=(0.0, 0.25))
    looks.set("weights", look)
    dialog = open_dialog(window)
    choose(dialog, "format", 1)
    press(dialog, "save")
    ticks = re.findall(r">([^<]*)</text>", answer[-1].read_text(encoding="utf-8"))
    assert "0.25" in ticks
    assert not {"1.0", "1.00"} & set(ticks)
    window.step_view.set_view("lines")
    window.step_view.page_of("lines").threshold.set_threshold(0.4)
    dialog = open_dialog(window)
    press(dialog, "save")
    assert "Weights ≥ 0.4<" in answer[-1].read_text(encoding="utf-8")


def test_a_picture_that_cannot_be_written_is_refused_in_place(
    window, answer, monkeypatch, tmp_path
):
    (tmp_path / "mine.png").write_text("somebody's")
    answer.append(tmp_path / "mine")
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    assert text(dialog, "reason").endswith("was not overwritten.")
    assert (tmp_path / "mine.png").read_text() == "somebody's"
    dialog.reject()

    answer.append(tmp_path / "gone" / "view.png")
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    assert "There is no folder" in text(dialog, "reason")
    answer.append(tmp_path / "view.png")
    press(dialog, "save")
    assert answer[-1].exists()

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    dialog = open_dialog(window)
    press(dialog, "save")
    assert dialog.isVisible()
    dialog.reject()


def test_views_and_figures_are_written_in_the_form_that_was_chosen(
    window, answer, tmp_path
):
    check_what_is_asked_fits_the_picture_and_tells_its_size(window)
    window.step_view.set_view("heatmap")
    check_a_figure_is_offered_first_in_a_width_that_can_be_typed(
        window, answer, tmp_path
    )
    answer.append(tmp_path / "screen.png")
    check_it_writes_what_is_on_the_screen_tells_where_and_ends_the_name(
        window, answer, tmp_path
    )


def test_a_picture_is_copied_as_it_was_last_wanted(window, monkeypatch, qtbot):
    alt = Qt.KeyboardModifier.ControlModifier | ALT
    QTest.keyClick(window, Qt.Key.Key_C, alt)
    assert QGuiApplication.clipboard().image().width() == round(85 / 25.4 * 300)
    dialog = open_on_the_view(window)
    choose(dialog, "scale", 2)
    press(dialog, "copy")
    QGuiApplication.clipboard().clear()
    QTest.keyClick(window, Qt.Key.Key_C, alt)
    image = QGuiApplication.clipboard().image()
    assert image.size() == window.step_view.page.size() * 3

    size = window.step_view.page.size()
    dialog = open_on_the_view(window)
    choose(dialog, "scale", 0)
    press(dialog, "copy")
    assert QGuiApplication.clipboard().image().size() == size
    assert window.notice.text == "Picture copied"
    check_nothing_outdated_is_copied(window, monkeypatch, qtbot)


def check_nothing_outdated_is_copied(window, monkeypatch, qtbot):
    """Ask for pictures and numbers while a worker computes an edit."""
    workbench, clipboard = window.workbench, QGuiApplication.clipboard()
    window.step_view.set_view("heatmap")
    clipboard.setText("mine")
    monkeypatch.setattr(engine, "FRAME_COST", 0)
    monkeypatch.setattr(engine, "PATIENT_COST", 0)
    name, *_ = window.document.spec.input_names
    edit = SetCells("edit", name, 0, 0, np.array([[0.5]]))
    control = Qt.KeyboardModifier.ControlModifier
    ways = (
        lambda: QTest.keyClick(window, Qt.Key.Key_C, control | ALT),
        lambda: QTest.keyClick(window, Qt.Key.Key_P, KEYS),
        window.findChild(QAction, "action.gif").trigger,
        window.findChild(QAction, "action.copy_step").trigger,
        lambda: QTest.keyClick(window.step_view.heatmap, Qt.Key.Key_C, control),
    )
    with gated(monkeypatch, Build, "run") as gate:
        gate.clear()
        workbench.edits.submit(edit)
        for way in ways:
            window.notice.dismiss()
            way()
            assert window.notice.text.startswith("The last edit is still to be")
            assert clipboard.text() == "mine"
            assert not [d for d in window.findChildren(QDialog) if d.isVisible()]
        gate.set()
        qtbot.waitUntil(workbench.engine.catch_up)
    window.findChild(QAction, "action.copy_picture").trigger()
    assert window.notice.text == "Picture copied"


def test_it_fits_a_small_screen_and_names_all_it_asks_for_at_any_size_of_texts(window):
    for theme in ["light", "dark"]:
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

    window.appearance.set_text_size(200)
    dialog = open_dialog(window)
    assert len(mnemonics_of(dialog)) > 8
    assert isinstance(dialog, QWidget)
    assert dialog.width() <= 1366
    assert dialog.height() <= 768
    dialog.reject()
