"""The heart of the project, as ``pytest -m rapid`` runs it: a minute at most.

Files, or single tests of them, by layer. The marker is set here and nowhere else.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
RAPID = {
    "numbers and gradients": (
        "tests/compute/normalizers/test_rules.py",
        "tests/compute/notation",
        "tests/compute/rules",
        "tests/compute/test_attention.py",
        "tests/compute/test_gradients.py::test_gradients_of_any_output_are_the_slopes",
    ),
    "stages": ("tests/compute/stages", "tests/compute/test_stages.py"),
    "engine": ("tests/compute/engine/test_inputs.py",),
    "document": ("tests/document/test_document.py",),
    "undo": ("tests/ui/state/test_undo.py",),
    "sessions": ("tests/io/session/test_session.py",),
    "CSV": (
        "tests/io/export/test_csv_text.py",
        "tests/io/matrices/test_csv_file.py::"
        "test_what_is_exported_with_names_is_read_back_with_them",
        "tests/io/matrices/test_csv_file.py::"
        "test_random_tables_come_back_bit_for_bit_or_are_refused",
    ),
    "exports that are run": (
        "tests/io/export/test_scripts.py::"
        "test_a_script_ends_with_0_and_a_corrupted_one_does_not",
    ),
    "window": (
        "tests/journeys/test_first_edit.py::"
        "test_typing_into_a_weight_changes_picture_and_export_and_undo_restores_both",
    ),
}
_PLACES = [place for places in RAPID.values() for place in places]


def is_rapid(test: str) -> bool:
    """Tell whether a test, by its node id, belongs to the heart of the project."""
    return any(_lies_in(test, place) for place in _PLACES)


def may_hold_rapid(path: Path) -> bool:
    """Tell whether a file or folder holds such tests, or what they need."""
    if path.suffix != ".py" or not path.name.startswith("test_"):
        return True
    file = path.relative_to(ROOT).as_posix()
    files = [place.partition("::")[0] for place in _PLACES]
    return any(_lies_in(file, place) for place in files)


def _lies_in(test: str, place: str) -> bool:
    return test == place or test.startswith((f"{place}/", f"{place}::", f"{place}["))
