import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, SetCells, spec_edit
from attnviewer.document.masks import MaskPreset, mask_edit
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.spec.spec_bar import SpecBar
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.window.app import create_window
from tests.wheel import NOTCH, turn_wheel


def make_document(spec=None, columns=4):
    weights = {name: np.ones((2, columns)) for name in ("W_Q", "W_K", "W_V")}
    return Document("two", ["a", "b"], {"X": np.eye(2), **weights}, spec)


class Bar:
    """The bar as a person meets it: controls by name, keys, and what they see."""

    def __init__(self, qtbot, make_edits, document):
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(1200, 200)
        self.edits = make_edits(document, self.window)
        self.reason = ReasonBubble(self.window)
        self.widget = SpecBar(self.edits, self.reason, self.window)
        self.widget.set_document(document)
        with qtbot.waitExposed(self.window):
            self.window.show()

    def choice(self, name):
        return self.window.findChild(QComboBox, f"spec.{name}")

    def choose(self, name, text):
        box = self.choice(name)
        box.setFocus()
        self.qtbot.keyClicks(box, text)

    @property
    def heads(self):
        return self.window.findChild(QSpinBox, "spec.heads")

    @property
    def w_o(self):
        return self.window.findChild(QCheckBox, "spec.output_projection")


@pytest.fixture
def make_bar(qtbot, make_edits):
    made = []

    def make(document):
        made.append(Bar(qtbot, make_edits, document))
        return made[-1]

    yield make
    for bar in made:
        bar.widget.release()
        bar.reason.clear()


def test_the_bar_shows_the_documents_spec(make_bar):
    spec = Spec(n_heads=2, causal=True, normalizer="sum", scale=0.5)
    bar = make_bar(make_document(spec))
    shown = [bar.choice(n).currentText() for n in ("variant", "mask", "normalizer")]
    assert shown == ["Multi-head attention", "Causal", "plain sum"]
    assert bar.choice("scale").currentText() == "× 0.5"
    assert bar.heads.value() == 2


@pytest.mark.parametrize(
    ("control", "keys", "field", "value"),
    [
        ("mask", "c", "causal", True),
        ("scale", "n", "scale", 1.0),
        ("normalizer", "p", "normalizer", "sum"),
        ("normalizer", "1", "normalizer", "entmax15"),
        ("variant", "si", "projected", False),
        ("variant", "m", "n_heads", 2),
    ],
)
def test_a_choice_by_key_is_an_edit_that_undo_takes_back(
    make_bar, control, keys, field, value
):
    document = make_document()
    bar = make_bar(document)
    before = document.spec
    bar.choose(control, keys)
    assert getattr(document.spec, field) == value
    assert bar.edits.count() == 1
    bar.edits.undo()
    assert document.spec == before
    assert bar.choice("mask").currentText() == "None"
    assert bar.choice("scale").currentText() == "1/√d_k"


def test_choosing_what_is_chosen_already_is_no_edit(make_bar):
    bar = make_bar(make_document())
    bar.choose("mask", "n")
    assert bar.edits.count() == 0


def test_simplified_attention_has_no_heads_to_choose(make_bar):
    bar = make_bar(make_document())
    assert bar.heads.isEnabled()
    bar.choose("variant", "si")
    assert not bar.heads.isEnabled()
    assert not bar.w_o.isEnabled()


def test_the_heads_arrows_step_through_divisors(make_bar, qtbot):
    document = make_document(columns=6)
    bar = make_bar(document)
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(bar.heads, key)
        seen.append(document.spec.n_heads)
    qtbot.keyClick(bar.heads, Qt.Key.Key_Down)
    assert [*seen, document.spec.n_heads] == [2, 3, 6, 6, 3]


def test_typing_heads_that_do_not_divide_tells_the_reason_and_changes_nothing(
    make_bar, qtbot
):
    document = make_document()
    bar = make_bar(document)
    bar.heads.setFocus()
    bar.heads.selectAll()
    qtbot.keyClicks(bar.heads, "3")
    qtbot.keyClick(bar.heads, Qt.Key.Key_Return)
    assert bar.reason.isVisible()
    assert bar.reason.text() == (
        "The number of columns of 'W_Q' must be divisible by n_heads = 3. "
        "Got 4 columns instead. Possible here: 1, 2, 4. "
        "Attention ▸ Dimensions… changes the widths."
    )
    assert bar.heads.value() == 1
    assert document.revision == 0


def test_w_o_starts_as_the_identity_and_goes_with_undo(make_bar, qtbot):
    document = make_document()
    bar = make_bar(document)
    qtbot.mouseClick(bar.w_o, Qt.MouseButton.LeftButton, pos=bar.w_o.rect().center())
    assert document.spec.output_projection
    assert document.matrix("W_O").tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]
    bar.edits.undo()
    assert "W_O" not in document.matrices
    assert not bar.w_o.isChecked()


def test_multi_head_is_refused_where_columns_cannot_be_divided(make_bar):
    bar = make_bar(make_document(columns=1))
    bar.choose("variant", "m")
    assert "at least 2 columns" in bar.reason.text()
    assert bar.choice("variant").currentText() == "Self-attention"


def test_multi_head_is_refused_where_keys_of_luongs_scores_cannot_be_divided(make_bar):
    shapes = {"X": (2, 5), "W_Q": (5, 2), "W_K": (5, 1), "W_V": (5, 4), "w": (2, 1)}
    matrices = {name: np.ones(shape) for name, shape in shapes.items()}
    spec = Spec(score="general", n_kv_heads=1)
    bar = make_bar(Document("two", ["a", "b"], matrices, spec))
    bar.choose("variant", "m")
    assert "'w' matrix must have shape (1, 1)" in bar.reason.text()
    assert bar.choice("variant").currentText() == "Self-attention"


def test_another_document_is_shown_and_the_old_one_no_longer_heard(make_bar):
    old = make_document()
    bar = make_bar(old)
    new = make_document(Spec(causal=True))
    bar.edits.set_document(new)
    bar.widget.set_document(new)
    assert len(old.changed) == 0
    assert bar.choice("mask").currentText() == "Causal"


def test_every_control_has_a_name_for_screen_readers(make_bar):
    bar = make_bar(make_document())
    names = ("variant", "heads", "output_projection", "mask", "scale", "normalizer")
    for name in names:
        assert bar.window.findChild(QWidget, f"spec.{name}").accessibleName()


@pytest.mark.parametrize("typed", ["0", "-1"])
def test_a_number_of_heads_below_one_is_told_why_it_is_wrong(make_bar, qtbot, typed):
    document = make_document()
    bar = make_bar(document)
    bar.heads.setFocus()
    bar.heads.selectAll()
    qtbot.keyClicks(bar.heads, typed)
    qtbot.keyClick(bar.heads, Qt.Key.Key_Return)
    assert f"at least 1. Got {typed} instead" in bar.reason.text()
    assert bar.heads.value() == 1
    assert document.revision == 0


@pytest.mark.parametrize("name", ["variant", "mask", "scale", "normalizer", "heads"])
def test_a_passing_wheel_changes_no_choice(make_bar, name):
    document = make_document()
    bar = make_bar(document)
    control = bar.window.findChild(QWidget, f"spec.{name}")
    control.clearFocus()
    for turn in (NOTCH, -NOTCH):
        turn_wheel(control, turn)
    assert document.revision == 0


def test_the_variant_gives_way_in_a_narrow_window(make_bar):
    bar = make_bar(make_document())
    wide = bar.widget.sizeHint().width()
    assert bar.widget.minimumSizeHint().width() <= wide - 60


@pytest.mark.parametrize(
    ("preset", "text"),
    [
        (MaskPreset("none"), "None"),
        (MaskPreset("causal"), "Causal"),
        (MaskPreset("window", (2, 0)), "Window 2|0"),
        (MaskPreset("window", (None, 1)), "Window all|1"),
        (MaskPreset("padding", (3,)), "Padding, 3 real"),
        (MaskPreset("prefix", (2,)), "Prefix 2"),
        (MaskPreset("block", (1, 2)), "Block 1, 2"),
        (MaskPreset("painted"), "Painted"),
    ],
)
def test_the_mask_is_shown_with_its_numbers(make_bar, preset, text):
    document = Document(
        "four", ["a", "b", "c", "d"], {"X": np.eye(4)}, Spec(projected=False)
    )
    bar = make_bar(document)
    bar.edits.submit(mask_edit(document, preset, "Set mask"))
    assert bar.choice("mask").currentText() == text


def test_a_combination_of_masks_has_a_name_while_it_is_there(make_bar):
    document = make_document(Spec(causal=True, key_lengths=1))
    bar = make_bar(document)
    box = bar.choice("mask")
    assert box.currentText() == "Combined"
    bar.choose("mask", "c")
    assert document.spec.key_lengths is None
    assert box.currentText() == "Causal"
    assert box.findText("Combined") == -1
    bar.edits.undo()
    assert box.currentText() == "Combined"


def test_painted_cells_rename_the_mask(make_bar):
    document = make_document()
    bar = make_bar(document)
    bar.choose("mask", "b")
    assert bar.choice("mask").currentText() == "Block 1"
    bar.edits.submit(SetCells("Show", "mask", 0, 1, np.array([[True]])))
    assert bar.choice("mask").currentText() == "Painted"


def test_choosing_to_paint_turns_what_is_visible_into_cells(make_bar, qtbot):
    document = make_document(Spec(causal=True))
    bar = make_bar(document)
    box = bar.choice("mask")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert document.matrix("mask").tolist() == [[True, False], [True, True]]
    assert not document.spec.causal
    assert bar.edits.undoText() == "Paint the mask by hand"
    # The cells are where the person is now.
    assert bar.edits.cursor.selection == InputSelection("mask", Region(0, 0, 1, 1))


def test_heads_that_share_keys_stay_shared(make_bar, qtbot):
    document = make_document(Spec(n_heads=2), columns=8)
    document.apply(spec_edit(document, Spec(n_heads=2, n_kv_heads=1), ""))
    bar = make_bar(document)
    qtbot.keyClick(bar.heads, Qt.Key.Key_Up)
    assert (document.spec.n_heads, document.spec.n_kv_heads) == (4, 2)
    bar.heads.selectAll()
    qtbot.keyClicks(bar.heads, "3")
    qtbot.keyClick(bar.heads, Qt.Key.Key_Return)
    assert bar.reason.text() == (
        "The 'n_heads' must be a multiple of 2, as 2 heads share one key/value "
        "head. Got 3 instead. Possible here: 2, 4, 8. "
        "Attention ▸ Dimensions… changes the widths."
    )


def test_an_option_of_a_normaliser_goes_with_it(make_bar):
    options = (("length_bias", False),)
    spec = Spec(normalizer="sigmoid", normalizer_options=options)
    bar = make_bar(make_document(spec))
    bar.choose("normalizer", "h")
    assert bar.edits.document.spec == Spec(normalizer="hardmax")


def field(box):
    """Return the rectangle of a box's text."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    style = QStyle.ComplexControl.CC_ComboBox
    part = QStyle.SubControl.SC_ComboBoxEditField
    return box.style().subControlRect(style, option, part, box)


# The dark theme has the metrics of the light one.
def visible_labels(bar):
    """Return the labels of a bar but the names of boxes, which are only spoken."""
    labels = bar.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [label for label in labels if not isinstance(label.buddy(), QComboBox)]


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_captions_give_way_so_that_every_choice_fits(qtbot, appearance, theme):
    appearance.choose(theme)
    window = create_window("example:two-heads")
    qtbot.addWidget(window)
    window.resize(1600, 768)
    with qtbot.waitExposed(window):
        window.show()
    bar = window.spec_bar
    (temperature,) = visible_labels(bar)
    slider = window.findChild(QSlider, "spec.temperature.slider")
    names = ("variant", "heads", "output_projection", "mask", "scale", "normalizer")
    controls = [bar.findChild(QWidget, f"spec.{name}") for name in names]
    captions = {"variant": "Variant: Multi-head attention", "mask": "Mask: Causal"}
    captions |= {"scale": "Scale: 1/√d_k", "normalizer": "Normalise: softmax"}
    boxes = {name: bar.findChild(QComboBox, f"spec.{name}") for name in captions}
    number = window.findChild(QLineEdit, "spec.temperature.number")
    controls += [number, window.findChild(QWidget, "export")]

    def apart():
        starts = [c.mapTo(window, QPoint()).x() for c in controls] + [window.width()]
        ends = [x + c.width() for x, c in zip(starts, controls, strict=False)]
        return all(end <= x for end, x in zip(ends, starts[1:], strict=True))

    seen = []
    for width in range(1600, 959, -40):
        window.resize(width, 768)
        for _ in range(3):
            QApplication.processEvents()
        assert apart()
        assert all(control.isVisible() for control in controls)
        texts = {
            name: box.shown_text(field(box).width()) for name, box in boxes.items()
        }
        assert temperature.text() in ("Temperature", "T")
        assert temperature.width() >= temperature.sizeHint().width()
        for name in ("mask", "scale", "normalizer"):
            assert texts[name] in (captions[name], captions[name].partition(": ")[2])
        gone = [name for name, text in texts.items() if text != captions[name]]
        long = temperature.text() == "Temperature"
        seen.append((slider.isVisible(), long, len(gone)))
    assert seen[0] == (True, True, 0)
    # The slider goes first, and does not come back as the window becomes narrower.
    assert [s for s, _, _ in seen] == sorted((s for s, _, _ in seen), reverse=True)
    assert not any(s or t for s, t, n in seen if n)
    assert seen[-1][2] >= 1
    for control in controls[:-1]:
        assert control.toolTip()
    window.close()


@pytest.fixture
def large_bar(qtbot, appearance):
    """The bar with the largest texts on a small laptop's screen."""
    appearance.set_text_size(200)
    window = create_window("example:two-heads")
    qtbot.addWidget(window)
    window.resize(1366, 768)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    QApplication.processEvents()
    yield window.spec_bar
    window.close()


def test_with_the_largest_texts_short_choices_are_whole(large_bar):
    for name in ("mask", "scale", "normalizer"):
        box = large_bar.findChild(QComboBox, f"spec.{name}")
        room = field(box)
        text = box.fontMetrics().horizontalAdvance(box.currentText())
        assert text <= room.width(), name


def test_with_the_largest_texts_the_temperature_and_no_mask_say_what_they_are(
    large_bar,
):
    (caption,) = visible_labels(large_bar)
    assert caption.isVisible()
    assert (caption.text(), caption.toolTip()) == ("T", "Temperature")
    heads = large_bar.findChild(QSpinBox, "spec.heads")
    assert heads.prefix() in ("Heads: ", "h: ")
    assert heads.toolTip().startswith("Heads")
    box = large_bar.findChild(QComboBox, "spec.mask")
    box.setCurrentIndex(box.findData("none"))
    box.activated.emit(box.currentIndex())
    QApplication.processEvents()
    assert box.shown_text(field(box).width()) == "No mask"
    assert box.currentText() == "None"


def test_tab_goes_on_from_the_normaliser_where_the_slider_has_no_room(qtbot, large_bar):
    assert not large_bar.findChild(QSlider, "spec.temperature.slider").isVisible()
    box = large_bar.findChild(QComboBox, "spec.normalizer")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert QApplication.focusWidget().objectName() == "spec.temperature.number"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is box
