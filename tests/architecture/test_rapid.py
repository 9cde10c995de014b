"""The rapid tests are there, in every layer."""

import subprocess
import sys

import pytest

from attnviewer.compute.normalizers import NORMALIZERS
from attnviewer.compute.scoring import SCORES
from tests.rapid import RAPID, ROOT, may_hold_rapid

MANY_FILES = 400
"""More files than any folder has."""
# Scores are dot products where nothing else is said, and nothing computes given ones.
_NAMED = [*NORMALIZERS, *sorted(SCORES.keys() - {"dot", "given"})]


@pytest.fixture(scope="module")
def rapid(request: pytest.FixtureRequest) -> list[str]:
    """Return the node ids of what the marker selects."""
    items = request.session.items
    if len({item.path for item in items}) > MANY_FILES:  # all tests are at hand
        marked = [item for item in items if item.get_closest_marker("rapid")]
        assert all(may_hold_rapid(item.path) for item in marked)
        return [item.nodeid for item in marked]
    command = [sys.executable, "-m", "pytest", "-m", "rapid", "--collect-only", "-q"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=True
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize("layer", RAPID)
def test_every_place_of_a_layer_has_rapid_tests(rapid, layer) -> None:
    assert RAPID[layer]
    for place in RAPID[layer]:
        assert any(test.startswith(place) for test in rapid), place


@pytest.mark.parametrize(
    "layer",
    ["compute", "compute/engine", "document", "io/session", "io/export", "journeys"],
)
def test_the_marker_selects_tests_in_every_folder_that_matters(rapid, layer) -> None:
    assert any(test.startswith(f"tests/{layer}/") for test in rapid)


@pytest.mark.parametrize("rule", _NAMED)
def test_every_normaliser_and_score_has_a_rapid_test(rapid, rule) -> None:
    assert any("[" in test and rule in test for test in rapid)


def test_the_other_tests_are_not_rapid(rapid) -> None:
    assert 100 < len(rapid) < 2000
    assert not any(test.startswith("tests/models/") for test in rapid)
