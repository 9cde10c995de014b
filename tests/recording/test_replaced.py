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


def test_blocks_that_end_in_another_order_put_back_what_was_there() -> None:
    for its_own in ({}, {"forward": "its own"}):
        module = SimpleNamespace(**its_own)
        blocks = [replaced(module, "forward", name) for name in ("a", "b", "c")]
        for block in blocks:
            block.__enter__()
        for first, shown in ((1, "c"), (0, "c"), (2, its_own.get("forward"))):
            blocks[first].__exit__(None, None, None)
            assert vars(module).get("forward") == shown
        assert vars(module) == its_own


def test_what_others_put_between_two_blocks_is_kept_by_the_later_one() -> None:
    module = SimpleNamespace(forward="its own")
    first = replaced(module, "forward", "first")
    with first:
        module.forward = "another's"
        second = replaced(module, "forward", "second")
        second.__enter__()
    assert module.forward == "second"
    second.__exit__(None, None, None)
    assert module.forward == "another's"
