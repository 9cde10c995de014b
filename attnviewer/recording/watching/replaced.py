"""Attributes of an instance that are replaced for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True, eq=False)
class _Replacement:
    """A value in place of another.

    Parameters
    ----------
    value : object
        The value.
    before : dict of str to object
        The instance's own value before, by the name of the attribute; {} if none.
    """

    value: object
    before: dict[str, object]


_OPEN: dict[tuple[int, str], list[_Replacement]] = {}
"""The replacements of an attribute that last, the latest one last."""


@contextmanager
def replaced(instance: object, name: str, value: object) -> Iterator[None]:
    """Give an instance an attribute of its own in the block.

    Afterwards it has again what it had: an attribute of its own, such as the `forward`
    that accelerate sets or another recording does, or that of its class. Blocks may end
    in any order: the latest one that lasts counts.

    Parameters
    ----------
    instance : object
        The instance.
    name : str
        The attribute.
    value : object
        Its value in the block.
    """
    own, key = vars(instance), (id(instance), name)
    mine = _Replacement(value, {name: own[name]} if name in own else {})
    lasting = _OPEN.setdefault(key, [])
    lasting.append(mine)
    own[name] = value
    try:
        yield
    finally:
        later = lasting[lasting.index(mine) + 1 :]
        lasting.remove(mine)
        if not lasting:
            del _OPEN[key]
        if not later:
            own.pop(name, None)
            own.update(mine.before)
        elif later[0].before.get(name) is value:
            later[0].before = mine.before
