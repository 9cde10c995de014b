"""The mode of PyTorch in which its functions are seen, among others on its stack."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
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


def compiling(*, allowed: bool) -> AbstractContextManager[object]:
    """Let compiled modules run as they are in the block, or as they were written.

    What is compiled calls no function that could be seen.
    """
    compiler: Any = sys.modules["torch"].compiler
    # Nothing is compiled before this is imported, which takes a second.
    if "torch._dynamo" not in sys.modules or not hasattr(compiler, "set_stance"):
        return nullcontext()
    stance: AbstractContextManager[object] = compiler.set_stance(
        "default" if allowed else "force_eager"
    )
    return stance


def goes_backward() -> bool:
    """Return whether PyTorch goes back through a graph.

    Checkpointed layers are then computed again, each as far as its gradients need.
    """
    task: Any = getattr(sys.modules["torch"]._C, "_current_graph_task_id", None)
    return task is not None and bool(task() != -1)


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
