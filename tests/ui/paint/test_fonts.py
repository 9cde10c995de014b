"""The fonts of texts and numbers, whatever is installed."""

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from attnviewer.ui.paint import fonts
from attnviewer.ui.paint.fonts import text_font


def test_texts_are_proportional_where_the_system_names_a_monospaced_font(
    qapp, monkeypatch
):
    monkeypatch.setattr(fonts, "_TEXT", "not installed")
    monkeypatch.setattr(QFontInfo, "fixedPitch", lambda _: True)
    system = QFont("monospace", 11)
    found = text_font(system)
    family, *rest = found.families()
    assert rest == system.families()
    assert not QFontDatabase.isFixedPitch(family)
    assert QFontDatabase.WritingSystem.Latin in QFontDatabase.writingSystems(family)
    assert found.pointSize() == 11


def test_texts_are_in_the_font_of_the_system_where_that_is_proportional(
    qapp, monkeypatch
):
    monkeypatch.setattr(fonts, "_TEXT", "not installed")
    monkeypatch.setattr(QFontInfo, "fixedPitch", lambda _: False)
    assert text_font(QFont("serif")).families() == ["serif"]
