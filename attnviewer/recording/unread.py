"""Reasons why something is not recorded, which do not reach the module's own code."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ERRORS = ValueError, TypeError, RuntimeError, AttributeError, LookupError
_WITHOUT_STORAGE = "doesn't have storage"
"""What PyTorch says of tensors that stand for others in its transforms."""
_TRANSFORMED = (
    "Tensors inside torch.vmap and the transforms of torch.func hold no numbers. Call "
    "the module outside of them."
)


@contextmanager
def reason_reported(what: str, tell: Callable[[str], object]) -> Iterator[None]:
    """Tell why something cannot be read, instead of failing the call that is recorded.

    Parameters
    ----------
    what : str
        What is read in the block, as the start of a sentence.
    tell : callable
        Takes the sentence.
    """
    try:
        yield
    except _ERRORS as error:
        stands_for_another = _WITHOUT_STORAGE in str(error)
        reason = _TRANSFORMED if stands_for_another else str(error)
        tell(f"{what} cannot be read. {reason}")
