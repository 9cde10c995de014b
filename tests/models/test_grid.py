"""A grid keeps its numbers, and hands them on to other libraries with their labels."""

import pickle
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from attnviewer.models.activations import Site
from attnviewer.models.grid import Grid

SITES = [[Site("heads", layer, head) for head in range(3)] for layer in range(2)]


def grid() -> Grid:
    values = np.arange(6.0).reshape(2, 3)
    return Grid(
        values, ["L0", "L1"], ["H0", "<H1>", "H2"], "Off & on", SITES, ("layer", "head")
    )


def test_a_grid_cannot_be_changed_even_out_of_a_pickle() -> None:
    own = np.ones((1, 2))
    small = Grid(own, ["a"], ["b", "c"], "ones")
    own[:] = 7
    np.testing.assert_array_equal(small.values, [[1, 1]])
    again = pickle.loads(pickle.dumps(grid()))
    for one in (grid(), again):
        assert one.values.dtype == np.float64
        assert one.sites[1][2] == Site("heads", 1, 2)
        assert (one.row_labels, one.axes) == (("L0", "L1"), ("layer", "head"))
        with pytest.raises(ValueError, match="read-only"):
            one.values[0, 0] = 1
        with pytest.raises(AttributeError):
            one.title = "other"


def test_labels_and_sites_must_be_as_many_as_numbers() -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 2\).*Got \(2, 3\)"):
        Grid(np.zeros((2, 3)), ["a"], ["b", "c"], "")
    with pytest.raises(ValueError, match=r"'sites'.*\(2, 3\).*rows of \[3\]"):
        Grid(np.zeros((2, 3)), "ab", "cde", "", SITES[:1])


def test_jupyter_shows_numbers_below_their_labels() -> None:
    values = np.arange(6.0).reshape(2, 3)
    values[1, 2] = np.inf
    shown = Grid(values, ["L0", "L1"], ["H0", "<H1>", "H2"], "Off & on", center=1.0)
    html = shown._repr_html_()
    assert "<b>Off &amp; on</b>" in html
    assert "<td>&lt;H1&gt;</td>" in html
    picture = ElementTree.fromstring(
        html[html.index("<svg") : html.index("</svg>") + 6]
    )
    labels = [element.text for element in picture if element.tag.endswith("text")]
    assert labels == ["L0", "L1", "H0", "<H1>", "H2"]
    cells = [element for element in picture if element.tag.endswith("rect")]
    assert [cell[0].text for cell in cells][4:] == ["L1, <H1>: 4.000000", "L1, H2: ∞"]
    # Of 0 to 4 around 1, the largest has the full colour, 0 a third of the other one.
    fills = [(cell.get("fill"), cell.get("fill-opacity")) for cell in cells]
    (below, third), (level, none), (above, _), *_, (full, one), (empty, _) = fills
    assert (third, none, one, empty) == ("0.33", "0.00", "1.00", "none")
    assert below != level == above == full
    # A grid of too many cells has the table alone.
    large = Grid(np.zeros((1, 5000)), ["L0"], list(map(str, range(5000))), "large")
    assert "<svg" not in large._repr_html_()
    assert "4,988 more columns" in large._repr_html_()
    assert repr(grid()) == "<Grid 'Off & on': 2 × 3, layer × head>"


def test_pandas_and_xarray_get_numbers_labels_and_names(monkeypatch) -> None:
    frame = SimpleNamespace(
        DataFrame=lambda values, **named: (values.tolist(), named),
        Index=lambda labels, name: (name, *labels),
    )
    monkeypatch.setitem(sys.modules, "pandas", frame)
    numbers = [[0, 1, 2], [3, 4, 5]]
    assert grid().to_pandas() == (
        numbers,
        {"index": ("layer", "L0", "L1"), "columns": ("head", "H0", "<H1>", "H2")},
    )
    labelled = SimpleNamespace(DataArray=lambda v, **named: (v.tolist(), named))
    monkeypatch.setitem(sys.modules, "xarray", labelled)
    found, named = grid().to_xarray()
    assert (found, named["dims"], named["name"]) == (
        numbers,
        ("layer", "head"),
        "Off & on",
    )
    assert named["coords"] == {"layer": ["L0", "L1"], "head": ["H0", "<H1>", "H2"]}
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        grid().to_pandas()


def test_a_site_is_named_hashable_and_checked() -> None:
    assert Site("weights", 3, 1).name == "L3 H1 weights"
    assert Site("after_attention", np.int64(0)).name == "L0 after attention"
    assert len({Site("heads", 0, 1), Site("heads", np.int32(0), 1)}) == 1
    with pytest.raises(ValueError, match=r"'kind' must be one of stream.*'head'"):
        Site("head", 0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="None for 'stream'"):
        Site("stream", 0, 1)
    for layer, head in ((-1, None), (0, -1)):
        with pytest.raises(ValueError, match=r"at least 0\. Got -1"):
            Site("heads", layer, head)
    with pytest.raises(TypeError, match="'layer'"):
        Site("heads", "0")  # type: ignore[arg-type]
