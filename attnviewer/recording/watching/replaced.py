"""Attributes of an instance that are replaced for a while."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def replaced(instance: object, name: str, value: object) -> Iterator[None]:
    """Give an instance an attribute of its own in the block.

    Afterwards it has again what it had: an attribute of its own, such as the `forward`
    that accelerate sets or another recording does, or that of its class.

    Parameters
    ----------
    instance : object
        The instance.
    name : str
        The attribute.
    value : object
        Its value in the block.
    """
    own = vars(instance)
    before = {name: own[name]} if name in own else {}
    own[name] = value
    try:
        yield
    finally:
        del own[name]
        own.update(before)
