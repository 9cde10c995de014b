"""The run is exported from the panel, as programs that repeat it."""

import json
import runpy

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QToolButton


def test_a_run_is_written_as_a_program_and_a_file_that_cannot_be_is_said(
    panel, tmp_path, monkeypatch
):
    assert not panel.part(QToolButton, "export").isEnabled()
    panel.run_to_end()
    for kind in ["numpy.script", "torch.notebook"]:
        suffix = ".py" if kind.endswith("script") else ".ipynb"
        path = tmp_path / f"run{suffix}"
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, path=path: (str(path), "")
        )
        panel.window.findChild(QAction, f"action.training.export.{kind}").trigger()
        panel.qtbot.waitUntil(path.exists)
        panel.rest()
        if suffix == ".py":
            runpy.run_path(str(path))  # which asserts its losses
        else:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            assert any("torch" in "".join(cell["source"]) for cell in cells)

    path = tmp_path / "missing" / "run.py"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    with panel.qtbot.waitSignal(panel.trainer.unexported) as said:
        panel.window.findChild(QAction, "action.training.export.numpy.script").trigger()
    assert "run.py" in said.args[0]
