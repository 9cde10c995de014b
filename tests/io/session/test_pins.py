"""Pins in sessions and in files that open as the documents that they came from."""

import math

import pytest

from attnviewer import Pin
from attnviewer.document.pins import add_pins
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.session import read_session, save_session
from attnviewer.io.session.pin_part import pin_from_plain, pin_to_plain
from tests.documents import four_words

PINS = (
    Pin("scores", 0, slice(None), -math.inf),
    Pin("weights", [1, 3], slice(0, 2), [[0.1, 0.2], [0.3, 1 / 3]], rest="share"),
    Pin("Q", slice(1, None), slice(0, 3, 2), 0.5, how="scale", enabled=False),
    Pin("output", 3, 2, 1.5, head=0, how="add"),
)


def pinned():
    document = four_words()
    document.apply(add_pins(document, PINS, "Pin"))
    return document


def test_a_session_keeps_pins(tmp_path) -> None:
    save_session(pinned(), tmp_path / "a.attn")
    assert read_session(tmp_path / "a.attn").pins == PINS


@pytest.mark.parametrize("name", ["npz", "json", "xlsx"])
def test_an_export_opens_with_the_pins(tmp_path, name) -> None:
    path = tmp_path / f"a.{name}"
    export(Computation.of(pinned()), path, name, Choice())
    opened = load(str(path))
    assert opened.pins == PINS


@pytest.mark.parametrize("pin", PINS, ids=str)
def test_plain_values_are_of_the_same_pin(pin) -> None:
    assert pin_from_plain(pin_to_plain(pin)) == pin


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": {"start": -1}},
        {"rows": [0, 0]},
        {"rows": {"start": 0, "step": 0}},
        {"value": "inf"},
        {"value": [[1.0], [1.0, 2.0]]},
        {"value": []},
        {"how": "replace"},
        {"head": -1},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_no_pin_is_refused(wrong) -> None:
    plain = {"step": "scores", "rows": [0], "columns": [1], "value": 1.0, **wrong}
    with pytest.raises(ValueError, match=r"must|Expected|Object|Invalid"):
        pin_from_plain(plain)
