"""Who may import whom, seen from a fresh interpreter."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import attnviewer

_WINDOWS = ("PySide6", "shiboken6", "pyqtgraph", "attnviewer.ui")
_LOADED = "import json, sys; print('\\nloaded', json.dumps(sorted(sys.modules)))"


def _loaded_after(code: str) -> set[str]:
    (loaded,) = _loaded_after_each(code)
    return loaded


def _loaded_after_each(*codes: str) -> list[set[str]]:
    """Return what one process has loaded after each of its lines of code."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(f"{code}; {_LOADED}" for code in codes)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    lines = done.stdout.splitlines()
    return [
        set(json.loads(line.removeprefix("loaded ")))
        for line in lines
        if line.startswith("loaded ")
    ]


def _found(loaded: set[str], names: tuple[str, ...]) -> set[str]:
    return {m for m in loaded for n in names if m == n or m.startswith(f"{n}.")}


def _modules_below_the_window() -> list[str]:
    names = [
        module.name
        for module in pkgutil.walk_packages(attnviewer.__path__, "attnviewer.")
        if not module.name.startswith("attnviewer.ui")
        and module.name != "attnviewer.__main__"
    ]
    assert {"attnviewer.cli", "attnviewer.compute.stages.mix"} <= set(names)
    return names


@pytest.mark.parametrize("arguments", [[], ["."], ["model", "."]])
def test_the_window_is_in_sight_before_numpy(arguments) -> None:
    command = (
        "from PySide6.QtWidgets import QApplication; from attnviewer import cli; "
        "from attnviewer.ui import launch; launch.missing_display = lambda: None; "
        "QApplication.exec = lambda *_: len(QApplication.topLevelWidgets()); "
        f"assert cli.main({arguments!r}) == 1; import linecache, tabnanny; "
        "assert tabnanny.__file__ not in linecache.cache, 'PySide6 reads sources'"
    )
    loaded = _loaded_after(command)
    assert "attnviewer.ui.window.main_window" in loaded
    assert _found(loaded, ("numpy", "psygnal", "msgspec", "pyqtgraph")) == set()


def test_the_window_is_filled_before_pyqtgraph_and_leaves_the_rest_unloaded() -> None:
    to_be_seen, at_first, complete, asking = _loaded_after_each(
        "from attnviewer.io import load; load('example:four-words'); "
        "import attnviewer.ui.views.step",
        "from attnviewer.ui.window.app import create_window; "
        "early = create_window(wait=False); early.show()",
        "window = create_window(); window.show(); window.close()",
        "import attnviewer.ui.goal_seek.dialog",
    )
    assert "attnviewer.ui.views.step.view" in to_be_seen
    other_files = "attnviewer.io.importing", "attnviewer.io.export"
    assert _found(to_be_seen, other_files) == set()
    assert _found(at_first, ("pyqtgraph",)) == set()
    assert "attnviewer.ui.state.model" in complete
    unused = "scipy", "attnviewer.goal_seek", "attnviewer.models"
    assert _found(complete, unused) == set()
    assert "attnviewer.goal_seek.seeking" in asking
    assert _found(asking, ("scipy",)) == set()


def test_seeking_is_what_loads_scipy() -> None:
    # Otherwise the tests of what is left unloaded would pass with any name.
    code = (
        "import sys, attnviewer; from attnviewer.goal_seek import search; "
        "search.STARTS = 1; document = attnviewer.load_example('four-words'); "
        "ask = lambda value: attnviewer.seek(document, "
        "attnviewer.Target('weights', 0, 1, '=', value), free=['X']); "
        "assert not ask(1.5).reached; assert 'scipy' not in sys.modules; ask(0.5)"
    )
    assert "scipy.optimize" in _loaded_after(code)


_BELOW = {
    "compute": ("attnviewer.document", "attnviewer.io", "psygnal", "msgspec"),
    "document": ("attnviewer.io", "msgspec"),
    "goal_seek": ("attnviewer.io", "attnviewer.models", "msgspec", "scipy"),
    "io": ("attnviewer.cli", "attnviewer.models"),
    "models.checkpoint": ("attnviewer.cli", *_WINDOWS),
}
"""What each layer leaves unloaded; none is above a later one."""


def test_each_layer_leaves_those_above_it_unloaded_and_only_the_window_loads_qt() -> (
    None
):
    *each, all_below, window = _loaded_after_each(
        *(f"import attnviewer.{layer}" for layer in _BELOW),
        "import " + ", ".join(_modules_below_the_window()),
        "import attnviewer.ui.paint.appearance",
    )
    found = {
        layer: _found(loaded, above)
        for (layer, above), loaded in zip(_BELOW.items(), each, strict=True)
    }
    assert {layer: names for layer, names in found.items() if names} == {}
    assert "attnviewer.io.export.tables" in all_below
    assert _found(all_below, (*_WINDOWS, "scipy")) == set()
    # Otherwise this would pass with any name, and so would the tests below.
    assert "PySide6" in window


def _running(*commands: list[str]) -> str:
    return "; ".join(f"cli.main({command!r})" for command in commands)


def test_commands_leave_qt_unloaded_and_numpy_too_where_they_only_tell(
    tmp_path: Path,
) -> None:
    told = (
        ["--help"],
        ["--version"],
        ["screenshot"],
        ["model", "--help"],
        ["doctor", "--help"],
        ["patterns", "--help"],
        ["survey", "--help"],
    )
    run = (
        ["examples"],
        ["--help"],
        ["export", "example:four-words", "--to", str(tmp_path)],
        ["screenshot", "example:four-words", "--to", "no-picture.txt"],
        ["model", "nowhere", "--heads"],
        ["doctor", "nowhere.npz"],
        ["patterns", "example:two-heads"],
        ["survey", "nowhere", "texts.txt", "--to", "heads.npz"],
    )
    by_telling, by_running = _loaded_after_each(
        f"from attnviewer import cli; {_running(*told)}", _running(*run)
    )
    assert "attnviewer.cli.export" in by_telling
    unused = *_WINDOWS, "numpy", "psygnal", "msgspec"
    assert _found(by_telling, unused) == set()
    assert {"attnviewer.io", "attnviewer.models", "attnviewer.doctor"} <= by_running
    assert _found(by_running, _WINDOWS) == set()
