"""All attention that a module of PyTorch computes, seen without changing it."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from attnviewer.recording.call import arguments_of
from attnviewer.recording.multi_head import is_multi_head, multi_head_call
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.recording.settings import n_heads_of
from attnviewer.recording.unread import reason_reported
from attnviewer.recording.watching.functions import (
    FUSED,
    SoftmaxThenProduct,
    fused_call,
)
from attnviewer.recording.watching.interface import WatchedInterface, interface_call
from attnviewer.recording.watching.modes import (
    compiling,
    goes_backward,
    leave,
    left,
    seeing,
)
from attnviewer.recording.watching.multi_head import (
    FUNCTION,
    call_attention,
    functional_call,
    is_encoder,
    is_encoder_layer,
    layer_of_multi_head,
)
from attnviewer.recording.watching.replaced import replaced


class Watch:
    """Sees the attention of a module while it is called.

    Functions of PyTorch are seen as they are called, those of Hugging Face as they are
    looked up, and nn.MultiheadAttention around its call, so that each takes the way
    that it would take unseen: what the module computes is the same in every bit.

    Parameters
    ----------
    module : torch.nn.Module
        The module.

    Attributes
    ----------
    layers : list of RecordedLayer
        What was seen of the last call, in order.
    unread : dict of str to str
        Why the attention of a layer could not be read, by its name.
    """

    def __init__(self, module: Any) -> None:
        self.layers: list[RecordedLayer] = []
        self.unread: dict[str, str] = {}
        self._modules = {id(m): (name, m) for name, m in module.named_modules()}
        self._running: list[int] = []
        self._outermost: set[int] = set()
        self._product = SoftmaxThenProduct()
        self._interface = WatchedInterface(self._unseen, self._see_interface)
        self._changes = ExitStack()
        self._mode: Any = None
        self._is_seeing = False

    @property
    def called(self) -> bool:
        """Whether PyTorch has called the module, or a part of it."""
        return bool(self._outermost)

    def begin(self) -> None:
        """Watch from now on."""
        for _, module in self._modules.values():
            if is_multi_head(module):
                self._replace(module, self._multi_head)
            elif is_encoder_layer(module):
                self._replace(module, self._encoder_layer)
            elif is_encoder(module):
                self._replace(module, self._encoder)
        torch: Any = sys.modules.get("torch")
        if torch is None:
            return
        code = torch.nn.modules.module
        for handle in (
            code.register_module_forward_pre_hook(self._enter),
            code.register_module_forward_hook(self._leave, always_call=True),
        ):
            self._changes.callback(handle.remove)
        self._changes.enter_context(compiling(allowed=False))
        self._changes.enter_context(self._interface.watched())
        self._mode = seeing(torch, self._see)
        self._mode.__enter__()
        self._is_seeing = True
        self._changes.callback(self._stop_seeing)

    def end(self) -> None:
        """Leave the module and PyTorch as they were."""
        self._changes.close()
        self._modules, self._mode = {}, None
        self._product.forget()

    def _stop_seeing(self) -> None:
        leave(self._mode)
        self._is_seeing = False

    @contextmanager
    def _suspended(self) -> Iterator[None]:
        """Let PyTorch's functions be called without being seen."""
        if not self._is_seeing:
            yield
            return
        self._is_seeing = False
        try:
            with left(self._mode), compiling(allowed=True):
                yield
        finally:
            self._is_seeing = True

    def _unseen(self, function: Callable[..., object], *given: Any, **more: Any) -> Any:
        with self._suspended():
            return function(*given, **more)

    def _enter(self, module: Any, _: object) -> None:
        if goes_backward():
            return
        called = id(module)
        if called in self._modules and self._innermost is None:
            if called in self._outermost:  # the last call counts
                self.layers.clear()
                self.unread.clear()
                self._outermost.clear()
            self._outermost.add(called)
        self._running.append(called)

    def _leave(self, module: Any, _: object, __: object) -> None:
        if goes_backward():
            return
        # Modules of other threads may have been called, and may still run.
        for place in reversed(range(len(self._running))):
            if self._running[place] == id(module):
                del self._running[place]
                break

    @property
    def _innermost(self) -> tuple[str, Any] | None:
        """The name of its innermost module that is running, and that; None if none is.

        Other modules run around it where it is a part of what is called.
        """
        own = (self._modules.get(called) for called in reversed(self._running))
        return next(filter(None, own), None)

    @property
    def _is_outside(self) -> bool:
        """Whether a module is running, and no part of the one that is watched."""
        return bool(self._running) and self._innermost is None

    def _reason_reported(self, name: str) -> AbstractContextManager[None]:
        def tell(reason: str) -> None:
            self.unread[name] = reason

        called = f"'{name}'" if name else "the module"
        return reason_reported(f"The attention of {called}", tell)

    def _keep(self, name: str, read: Callable[[], RecordedLayer | None]) -> None:
        """Keep what is read of a call; a call that cannot be read stays as it is."""
        if goes_backward() or self._is_outside:
            return
        with self._reason_reported(name):
            layer = read()
            if layer is not None:
                self.layers.append(layer)

    def _see(
        self,
        function: Callable[..., object],
        positional: tuple[Any, ...],
        keywords: Mapping[str, Any],
        result: Any,
    ) -> None:
        """Take note of a function of PyTorch."""
        called = getattr(function, "__name__", "")
        name, module = self._innermost or ("", None)
        if called == FUSED:
            self._keep(name, lambda: fused_call(name, positional, keywords, result))
            return
        if called == FUNCTION:
            self._keep(
                name,
                lambda: layer_of_multi_head(
                    name, functional_call(function, positional, keywords, result)
                ),
            )
            return
        heads = None if module is None else n_heads_of(module)
        self._keep(
            name,
            lambda: self._product.see(
                called, positional, keywords, result, name, heads
            ),
        )

    def _see_interface(
        self, layer: Any, arguments: Mapping[str, Any], result: object
    ) -> None:
        name, _ = self._modules.get(id(layer), ("", None))
        self._keep(name, lambda: interface_call(name, layer, arguments, result))

    def _replace(self, module: Any, around: Callable[..., Any]) -> None:
        """Put a function around a module's own, for this one instance."""
        forward = module.forward

        def seen(*positional: Any, **keywords: Any) -> Any:
            if not self._modules:  # called by another recording, which began later
                return forward(*positional, **keywords)
            return around(module, forward, positional, keywords)

        seen.__wrapped__ = forward  # type: ignore[attr-defined]
        self._changes.enter_context(replaced(module, "forward", seen))

    def _multi_head(
        self,
        module: Any,
        forward: Callable[..., Any],
        positional: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        result = self._unseen(forward, *positional, **keywords)
        name, _ = self._modules[id(module)]

        def read() -> RecordedLayer:
            arguments = arguments_of(module, positional, keywords)
            return layer_of_multi_head(name, multi_head_call(module, arguments, result))

        self._keep(name, read)
        return result

    def _encoder(
        self,
        _: Any,
        forward: Callable[..., Any],
        positional: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        return self._unseen(forward, *positional, **keywords)

    def _encoder_layer(
        self,
        module: Any,
        forward: Callable[..., Any],
        positional: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        """See the attention of a layer that may be computed by one fused function."""
        if module.training:  # no fused function in training
            return forward(*positional, **keywords)
        before = len(self.layers)
        result = self._unseen(forward, *positional, **keywords)
        if len(self.layers) == before and not self.unread:
            name, _ = self._modules[id(module)]
            with self._reason_reported(name):
                arguments = arguments_of(module, positional, keywords)
                self._unseen(call_attention, module, arguments)
        return result
