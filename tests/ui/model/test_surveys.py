"""Surveys of the open model's heads: opened, refused, and sorted by."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolTip

from attnviewer.compute import HeadLocation
from attnviewer.models import Survey, load
from attnviewer.ui.views.head_atlas import HeadAtlas

MEANS = np.arange(16.0).reshape(4, 4) * 7 % 16 / 16
"""Different for all heads, and in no order."""
TEXTS = {0: "one", 1: "two"}


def survey_of(model):
    """Return a survey with MEANS over two texts, a quarter above and below."""
    count = np.full((1, 4, 4), 2)
    count[0, 3, 3] = 0
    known = count > 0

    def known_only(numbers):
        return np.where(known, numbers, np.nan)

    highest = np.stack([known_only(MEANS + 0.25), known_only(MEANS - 0.25)], axis=-1)
    places = np.stack([np.where(known, 1, -1), np.where(known, 0, -1)], axis=-1)
    return Survey(
        model=model.name,
        fingerprint=model.fingerprint,
        metrics=("induction",),
        n_texts=1234,
        truncated=0,
        skipped=0,
        count=count,
        mean=known_only(MEANS),
        spread=known_only(0.25),
        minimum=known_only(MEANS - 0.25),
        lowest=np.where(known, 0, -1),
        highest=places,
        highest_values=highest,
        texts=TEXTS,
    )


def notice(window):
    return window.findChild(QLabel, "notice.text").text()


@pytest.fixture
def saved(tmp_path):
    def save(survey, name="survey.npz"):
        survey.save(tmp_path / name)
        return str(tmp_path / name)

    return save


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_survey_becomes_columns_of_the_atlas_and_another_one_is_refused(
    window, open_model, gpt2, saved, qtbot, monkeypatch
) -> None:
    survey = survey_of(load(gpt2))
    path = saved(survey)
    action = window.findChild(QAction, "action.survey")
    assert not action.isEnabled()
    assert action.toolTip().endswith("open the model first.")
    window.opener.open(path)
    assert notice(window) == "A survey is of a model’s heads: open the model first."
    open_model(gpt2)
    assert action.isEnabled()
    report = window.workbench.head_report
    others = {
        "name": replace(survey, model="gpt2-xl", fingerprint="0"),
        "weights": replace(survey, fingerprint="0"),
    }
    for other, told in (
        ("name", "Got gpt2-xl with 4 layers of 4 heads instead."),
        ("weights", "Got a model of the same name with other weights instead."),
    ):
        window.opener.open(saved(others[other], f"{other}.npz"))
        qtbot.waitUntil(lambda told=told: notice(window).endswith(told))
        assert not any(group.heading.startswith("Over") for group in report.groups)

    window.docks.open_panel("heads")
    QApplication.processEvents()
    atlas = window.findChild(HeadAtlas)
    box = atlas.choices.order
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *_arguments: (path, "Surveys")
    )
    with qtbot.waitSignal(report.changed):
        QTest.mouseClick(atlas.choices.survey, Qt.MouseButton.LeftButton)
    assert box.currentText() == "by layer"
    assert notice(window) == "Heads can be sorted by what they do over 1,234 texts."
    shown = [box.itemText(k) for k in range(box.count())]
    assert shown[shown.index("Over 1,234 texts") + 1] == "Induction, mean"
    box.setCurrentIndex(shown.index("Induction, mean"))
    box.activated.emit(box.currentIndex())
    order = np.argsort(-np.where(survey.count[0] > 0, MEANS, -1).ravel())
    expected = [HeadLocation(*divmod(int(k), 4)) for k in order]
    assert list(atlas.maps.arrangement.order) == expected
    layer, head = expected[0]
    tip = f"L{layer} H{head}: Induction, mean 0.9375, spread 0.25, 0.688 to 1.19 in "
    assert tip_of(atlas, expected[0]) == f"{tip}2 texts"
    assert tip_of(atlas, HeadLocation(3, 3)) == "L3 H3: Induction, mean —"


def tip_of(atlas, location):
    place = atlas.maps.centre_of(location)
    QApplication.sendEvent(atlas.maps, QHelpEvent(QEvent.Type.ToolTip, place, QPoint()))
    text = QToolTip.text()
    QToolTip.hideText()
    return text
