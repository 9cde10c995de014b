"""Numbers painted from their glyphs look as Qt paints texts that it has laid out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter

from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.number_face import NumberFace
from attnviewer.ui.paint.text_glyphs import paint_glyphs, text_glyphs

_Align = Qt.AlignmentFlag
CENTERED = int(_Align.AlignCenter)
RIGHT = int(_Align.AlignRight | _Align.AlignVCenter)
TEXTS = ["masked", "—", "NaN", "−∞", "<1\N{NARROW NO-BREAK SPACE}%", "1.5e−9", "…"]
PLACES = st.floats(0.0, 40.0)


def painted(paint, font, ratio):
    """Return the pixels that a function paints."""
    image = QImage(round(180 * ratio), round(80 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.setFont(font)
    painter.setPen(QColor("#204080"))
    paint(painter)
    painter.end()
    return np.array(image.constBits())


@pytest.mark.parametrize("alignment", [CENTERED, RIGHT])
@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@given(
    place=st.tuples(PLACES, PLACES, st.floats(20.0, 120.0), st.floats(8.0, 40.0)),
    text=st.sampled_from(TEXTS) | st.floats(-1e3, 1e3).map("{:.4f}".format),
    size=st.integers(9, 22),
    bold=st.booleans(),
)
def test_a_number_is_painted_as_qt_paints_it(
    qapp, alignment, ratio, place, text, size, bold
):
    font = fixed_font()
    font.setPixelSize(size)
    font.setBold(bold)
    face = NumberFace(font)

    def by_qt(painter):
        painter.drawText(QRectF(*place), alignment, text)

    def by_glyphs(painter):
        face.write(painter, [(*place, text)], alignment)

    expected = painted(by_qt, font, ratio)
    assert np.array_equal(painted(by_glyphs, font, ratio), expected)


def test_a_text_that_another_font_must_paint_does_not_spoil_the_others(qapp):
    font = fixed_font()
    font.setPixelSize(13)
    face = NumberFace(font)
    texts = [(5.0, 5.0, 60.0, 20.0, "0.25"), (90.0, 5.0, 80.0, 20.0, "語 1.5")]

    def by_qt(painter):
        for *box, text in texts:
            painter.drawText(QRectF(*box), CENTERED, text)

    expected = painted(by_qt, font, 1.0)
    shown = painted(lambda painter: face.write(painter, texts), font, 1.0)
    assert np.array_equal(shown, expected)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@given(
    place=st.tuples(PLACES, PLACES),
    text=st.sampled_from(
        ["Exponentials", "AV, fi: 0.118", "naïve", "שלום", "a · b = 1"]
    ),
    size=st.integers(9, 22),
    bold=st.booleans(),
)
def test_a_line_laid_out_once_is_painted_as_qt_paints_it(
    qapp, ratio, place, text, size, bold
):
    font = QFont(QGuiApplication.font().family())
    font.setPixelSize(size)
    font.setBold(bold)
    glyphs = text_glyphs(text, font)
    if glyphs is None:
        assert not text.isascii()  # the font of this system may lack other letters
        return
    at = QPointF(*place)
    expected = painted(lambda painter: painter.drawText(at, text), font, ratio)
    shown = painted(lambda painter: paint_glyphs(painter, at, glyphs), font, ratio)
    assert np.array_equal(shown, expected)
