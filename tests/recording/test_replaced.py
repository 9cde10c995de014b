"""Attributes that are replaced for a while."""

from types import SimpleNamespace

from attnviewer.recording.watching.replaced import replaced


class _Module:
    def forward(self):
        return "the class's"


def test_an_instance_without_an_attribute_of_its_own_has_none_afterwards() -> None:
    module = _Module()
    with replaced(module, "forward", lambda: "replaced"):
        assert module.forward() == "replaced"
    assert vars(module) == {}
    assert module.forward() == "the class's"


def test_what_an_instance_had_itself_is_put_back_from_each_block() -> None:
    module = SimpleNamespace(forward="its own")
    with replaced(module, "forward", "outer"):
        with replaced(module, "forward", "inner"):
            assert module.forward == "inner"
        assert module.forward == "outer"
    assert module.forward == "its own"
