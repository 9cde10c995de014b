"""What goes wrong with files, told in one sentence."""

import errno
import os
import pickle

import pytest

from attnviewer.io import FileError, FileFormatError
from attnviewer.io.errors import system_reason


def test_the_sentence_names_file_place_and_reason() -> None:
    assert str(FileError("a.json", "The disk is full.")) == "a.json: The disk is full."
    error = FileFormatError("a.json", "Expected a number.", "$.matrices.X[0][1]")
    assert str(error) == "a.json, $.matrices.X[0][1]: Expected a number."
    assert (error.path, error.reason, error.location) == error.args


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("caf\udce9.npz", "caf\\udce9.npz"),  # Latin 1 where UTF-8 is expected
        ("\ud83d.npz", "\\ud83d.npz"),
        ("käse 🧑\u200d🔬.npz", "käse 🧑\u200d🔬.npz"),
    ],
)
def test_names_that_are_no_text_can_be_printed(name: str, told: str) -> None:
    error = FileError(name, f"There is no folder {name}.")
    assert str(error) == f"{told}: There is no folder {told}."
    assert str(error).encode().decode() == str(error)


def test_the_sentence_is_one_line_whatever_a_file_holds() -> None:
    error = FileFormatError("a\n.json", "There is no '\x1b\u202ereh\0'.", "$.\ud83d")
    assert str(error) == (r"a\n.json, $.\ud83d: There is no '\x1b\u202ereh\x00'.")


def test_it_survives_the_way_between_processes() -> None:
    error = pickle.loads(pickle.dumps(FileFormatError("a", "b", "line 3")))
    assert isinstance(error, FileFormatError)
    assert str(error) == "a, line 3: b"


@pytest.mark.parametrize("code", sorted(errno.errorcode))
def test_every_error_of_the_system_has_a_sentence(code: int) -> None:
    reason = system_reason(OSError(code, os.strerror(code)))
    assert reason[0].isupper()
    assert reason.endswith(".")
    assert not reason.endswith("..")
    assert "Errno" not in reason


def test_an_error_without_a_number_still_has_a_sentence() -> None:
    assert system_reason(OSError("it broke")) == "The system reports: it broke."
    assert system_reason(OSError()) == "The system reports: OSError."


def test_a_file_that_another_program_holds_is_told_as_such() -> None:
    error = PermissionError(errno.EACCES, "access")
    error.winerror = 32
    assert system_reason(error) == "Another program has the file open."


def test_a_message_does_not_grow_with_what_a_file_holds() -> None:
    error = FileFormatError(
        "a", "There is no '" + "x" * 5000 + "' here.", "$" + "[" * 900
    )
    assert len(str(error)) < 800
    assert str(error).endswith("x' here.")
    assert error.location is not None
    assert error.location.startswith("$[[")
    assert "…" in error.location
