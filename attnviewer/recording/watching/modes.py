"""The mode of PyTorch in which its functions are seen, among others on its stack."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def seeing(torch: Any, see: Callable[..., None]) -> Any:
    """Return a mode of PyTorch in which its functions are seen after each call.

    Parameters
    ----------
    torch : module
        PyTorch.
    see : callable
        Takes the function, how it was called, and what it returned.
    """

    class Mode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = function(*args, **(kwargs or {}))
            see(function, args, kwargs or {}, result)
            return result

    return Mode()


def leave(mode: Any) -> int:
    """Leave a mode, but none that was entered after it; return how many those are.

    Its own `__exit__` would leave the last one that was entered.
    """
    overrides: Any = sys.modules["torch.overrides"]
    if mode not in overrides._get_current_function_mode_stack():
        return 0
    later = []
    while (last := overrides._pop_mode()) is not mode:
        later.append(last)
    _enter(later)
    return len(later)


@contextmanager
def left(mode: Any) -> Iterator[None]:
    """Leave a mode in the block, and enter it again at its place."""
    n_later = leave(mode)
    try:
        yield
    finally:
        overrides: Any = sys.modules["torch.overrides"]
        later = [overrides._pop_mode() for _ in range(n_later)]
        _enter([*later, mode])


def _enter(modes: list[Any]) -> None:
    """Enter modes, the last of them first."""
    for mode in reversed(modes):
        sys.modules["torch.overrides"]._push_mode(mode)
