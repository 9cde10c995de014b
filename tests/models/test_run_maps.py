"""The small maps of all heads with which a run shows itself in Jupyter."""

import re

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import ModelTrace, run_maps
from attnviewer.paths import resource

_IDS = [19, 41, 133, 97, 19, 41]


@pytest.fixture
def run() -> ModelTrace:
    return models.load(resource("notebooks", "induction-model")).run(_IDS)


def test_each_head_has_a_map_of_its_weights(run) -> None:
    html = run._repr_html_()
    found = re.findall(r'title="L(\d) H(\d)"><svg.*?</svg>', html)
    assert found == [(str(layer), str(head)) for layer in (0, 1) for head in range(4)]
    assert "Attention weights, each map" in html
    # A head that attends to one token only: one full cell in each row.
    pinned = run.with_activations({models.Site("weights", 0, 2): np.eye(6)})
    (cell,) = re.findall(r'"L0 H2"><svg.*?</svg>', pinned._repr_html_())
    squares = "".join(f"M{i} {i}h1v1h-1z" for i in range(6))
    assert re.findall(r'fill-opacity="(.*?)" d="(.*?)"', cell) == [("1", squares)]


def test_a_map_with_fewer_cells_than_tokens_has_the_largest_of_each_block(
    run, monkeypatch
) -> None:
    monkeypatch.setattr(run_maps, "_MOST_CELLS", 8 * 9)
    weights = np.zeros((6, 6))
    weights[:, 0], weights[3, 0], weights[3, 3] = 1, 0.5, 0.5
    html = run.with_activations({models.Site("weights", 0, 2): weights})._repr_html_()
    (cell,) = re.findall(r'"L0 H2"><svg.*?</svg>', html)
    shapes = re.findall(r'fill-opacity="(.*?)" d="(.*?)"', cell)
    assert shapes == [
        ("0.5", "M1 1h1v1h-1z"),
        ("1", "M0 0h1v1h-1zM0 1h1v1h-1zM0 2h1v1h-1z"),
    ]
    assert "the largest of 2 × 2 to a cell" in html


def test_layers_that_would_take_long_are_not_computed_and_this_is_told(
    run, monkeypatch
) -> None:
    one = 4 * 22 * 64**2  # its weights, for six tokens and for reading them
    monkeypatch.setattr(run_maps, "MOST_WORK", 2 * one)
    html = run._repr_html_()
    assert "layer 0 to 0 of 2" in html
    assert html.count("<svg") == 4
    assert len(run._streams) == 1
    monkeypatch.setattr(run_maps, "MOST_WORK", one)
    assert "No maps, as the run is large: see attention(layer)." in run._repr_html_()


def test_a_run_with_a_number_that_is_not_finite_says_so_in_place_of_maps(run) -> None:
    W_O = np.full_like(run.weights(0)["W_O"], 1e38)
    html = run.with_weights(0, {"W_O": W_O})._repr_html_()
    assert "No maps: The hidden states" in html
    assert "after layer 0 must hold finite numbers. Got nan" in html
