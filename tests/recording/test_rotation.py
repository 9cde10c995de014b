"""The rotation of a layer, as its configuration tells it."""

from types import SimpleNamespace

from attnviewer.recording.call import Call
from attnviewer.recording.rotation import read_rotation


def test_positions_along_several_axes_are_told_to_be_taken_as_equal() -> None:
    parameters = {"rope_theta": 500.0, "mrope_section": [1, 1, 2]}
    config = SimpleNamespace(rope_parameters=parameters, head_dim=8)
    call = Call()
    tables = {"position_embeddings": ("cos", "sin")}
    read_rotation(SimpleNamespace(config=config), tables, call)
    assert call.options == {"positions": "rope", "rope_base": 500.0}
    assert call.notes == [
        "The layer rotates along several axes, which are taken to have equal "
        "positions, as in a text."
    ]
