"""Settings that the program keeps for a person."""

import subprocess
import sys
from pathlib import Path

import pytest

FILES = """
from PySide6.QtCore import QSettings
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.state.folders import data_folder

print(own_settings().fileName(), QSettings("QtProject").fileName(), data_folder())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no variable moves them")
def test_processes_of_tests_leave_the_persons_settings_and_data_alone(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    files = subprocess.check_output([sys.executable, "-c", FILES], text=True).split()
    assert len(files) == 3
    assert all(Path(file).is_relative_to(base) for file in files), files
