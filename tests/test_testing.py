"""``attnviewer.testing``: assertions for tests of other people's implementations."""

import os
import subprocess
import sys

import numpy as np
import pytest

import attnviewer
from attnviewer.testing import assert_attention

Q, K, V = np.random.default_rng(0).standard_normal((3, 6, 4))
GIVEN = {"Q": Q, "K": K, "V": V}
FILE = """
import numpy as np
from attnviewer.testing import assert_attention

q, k, v = np.random.default_rng(0).standard_normal((3, 6, 4))


def mine(scale):
    scores = np.where(np.tri(6, dtype=bool), q @ k.T * scale, -np.inf)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return {"weights": weights, "output": weights @ v}


def test_right():
    assert_attention(mine(0.5), {"Q": q, "K": k, "V": v}, causal=True)


def test_wrong():
    assert_attention(mine(1.0), {"Q": q, "K": k, "V": v}, causal=True)
"""


def test_what_agrees_returns_the_diagnosis() -> None:
    output = attnviewer.attention(Q, K, V, causal=True)["output"]
    diagnosis = assert_attention({"output": output}, GIVEN, causal=True)
    assert diagnosis.agrees
    assert diagnosis.compared == ("output",)


def test_the_message_is_the_diagnosis() -> None:
    mine = {"output": attnviewer.attention(Q, K, V)["output"]}
    with pytest.raises(AssertionError) as failed:
        assert_attention(mine, GIVEN, causal=True)
    assert str(failed.value) == str(attnviewer.diagnose(GIVEN, mine, causal=True))
    assert "[causal-missing]" in str(failed.value)


def test_what_cannot_be_compared_is_no_failed_assertion() -> None:
    with pytest.raises(ValueError, match="The 'mine' must hold a step"):
        assert_attention({}, GIVEN)


def test_pytest_shows_the_diagnosis_at_the_line_of_the_test(tmp_path) -> None:
    path = tmp_path / "test_mine.py"
    path.write_text(FILE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", path.name],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # they load slowly
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert (
        "E       AssertionError: First difference at 'weights': The scores"
        in done.stdout
    )
    assert "[scale-missing]" in done.stdout
    assert "raise AssertionError(str(diagnosis))" not in done.stdout
