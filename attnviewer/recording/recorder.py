"""Recording what a layer of PyTorch computes."""

from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.signatures import short_signature
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.recording.call import Call, arguments_of
from attnviewer.recording.comparing import diagnosis_of
from attnviewer.recording.layers import attention_in, scripted_in
from attnviewer.recording.multi_head import is_multi_head
from attnviewer.recording.projected import Passage, Projected
from attnviewer.recording.projections import OUTPUT, projections_of, unnamed_in
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.recording.recorded_run import RecordedRun
from attnviewer.recording.tensors import copied, parts
from attnviewer.recording.unread import reason_reported
from attnviewer.recording.watching.watch import Watch

_NORMS = "q_norm", "k_norm"
_NO_CALL = "The layer must be called while it is recorded. Got no call instead."
_NO_ATTENTION = (
    "The last call of the module must compute attention in one of its layers, in a way "
    "that can be seen: by an attention function of Hugging Face, "
    "nn.MultiheadAttention, scaled_dot_product_attention, or a softmax whose result is "
    "multiplied with values. Got none instead."
)
_TAKEN_AS_CAUSAL = (
    "The layer's attention function is called as causal, which is taken as meant; "
    "diagnose(causal=False) compares with attention that is not."
)


class Recording(RecordedRun):
    """The computation of a module's layers of attention in its last call.

    Used with ``with``; what was recorded can be read during the block and after it.
    `inputs`, `mine` and `options` are those of a module with one layer, projections
    and all; `layers` has the attention of every layer.

    Parameters
    ----------
    module : torch.nn.Module
        A layer, or a module with layers.

    Raises
    ------
    TypeError
        If it is no module of PyTorch.
    """

    def __init__(self, module: Any) -> None:
        self._module: Any = module
        self._only, self._no_layer, self._several = attention_in(module)
        self._scripted = scripted_in(module)
        self._watch = Watch(module)
        self._hooks: list[Any] = []
        self._call: Call | None = None

    def __enter__(self) -> "Recording":
        if self._module is None:
            raise RuntimeError("A recording can be entered once.")
        self._module = None
        only, self._only = self._only, None
        try:
            if only is not None and not is_multi_head(only):
                self._hook_projections(only)
            self._watch.begin()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._remove()

    def _remove(self) -> None:
        self._watch.end()
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    @property
    def layers(self) -> tuple[RecordedLayer, ...]:
        """The layers in the order of the last call's calls of them.

        Raises
        ------
        ValueError
            If no attention was seen.
        """
        if not self._watch.layers:
            why = list(self._watch.unread.values())
            raise ValueError(" ".join(why) or self._without_layers)
        return tuple(self._watch.layers)

    @property
    def inputs(self) -> dict[str, Numbers]:
        """The inputs of the layer, and its weights as (in, out)."""
        return self._last.inputs

    @property
    def mine(self) -> dict[str, Numbers]:
        """The layer's numbers, by the names of steps."""
        return self._last.mine

    @property
    def options(self) -> dict[str, Any]:
        """The layer's intended computation, as far as it can be read."""
        return self._last.options

    @property
    def unread(self) -> tuple[str, ...]:
        """Notes on parts that could not be read, a sentence each."""
        call = self._only_call
        return (*(call.notes if call else ()), *self._watch.unread.values())

    def diagnose(self, layer: int | None = None, **options: Any) -> Diagnosis:
        """Tell what is wrong with a layer.

        Parameters
        ----------
        layer : int, optional
            One of `layers`, whose output is compared with that of its queries, keys
            and values. By default the only layer with projections, from its input to
            its output.
        **options
            What is meant, as for `attnviewer.diagnose`, in place of what was read;
            None for an option that was read by mistake.

        Returns
        -------
        Diagnosis
            Its notes tell what could not be read.

        Raises
        ------
        IndexError
            If there is no such layer.
        ValueError
            If the layer was not called, what it computed or the number of heads
            cannot be read, or something does not fit.
        """
        if layer is not None:
            return super().diagnose(layer, **options)
        return diagnosis_of(self._last, options)

    @property
    def _seen(self) -> tuple[RecordedLayer, ...]:
        return tuple(self._watch.layers)

    @property
    def _without_layers(self) -> str:
        """The reason why there are no layers, where all was read."""
        if self._scripted:
            return self._scripted
        if self._watch.called:
            return _NO_ATTENTION
        return _NO_CALL if self._several else self._no_layer or _NO_CALL

    @property
    def _last(self) -> Call:
        call = self._only_call
        if call is None:
            raise ValueError(self._scripted or self._no_layer or _NO_CALL)
        return call

    @property
    def _only_call(self) -> Call | None:
        """The call of the only layer; None if there are several, or none."""
        seen = self._watch.layers
        return self._call or (seen[0].call if len(seen) == 1 else None)

    def _hook(self, layer: Any, hook: Callable[..., None]) -> None:
        self._hooks.append(layer.register_forward_hook(hook, with_kwargs=True))

    def _hook_projections(self, layer: Any) -> None:
        projections, recognised = projections_of(layer), []
        unnamed = unnamed_in(layer) if OUTPUT not in projections else []
        if len(unnamed) == 1:
            projections[OUTPUT] = unnamed.pop()
            name = projections[OUTPUT].name
            recognised.append(f"'{name}' is taken for the projection of the output.")
        passage = Passage()
        begin = layer.register_forward_pre_hook(lambda *_: passage.begin())
        self._hooks.append(begin)
        for role, projection in projections.items():
            self._hook(projection.module, partial(_passed, passage, role))
        for norm in _NORMS:
            child = getattr(layer, norm, None)
            if child is not None and any(True for _ in child.parameters()):
                self._hook(child, partial(_passed, passage, norm))
        reader = Projected(layer, projections, tuple(unnamed), tuple(recognised))
        self._hook(layer, partial(self._projected, reader, passage))

    def _projected(
        self,
        reader: Projected,
        passage: Passage,
        layer: Any,
        positional: Any,
        keywords: Any,
        result: object,
    ) -> None:
        self._call = Call()
        with reason_reported("The projections", self._call.notes.append):
            arguments = arguments_of(layer, positional, keywords)
            self._call = reader.call(passage, arguments, result)
            _read_function(self._seen[-1:], self._call)


def _read_function(last: tuple[RecordedLayer, ...], call: Call) -> None:
    """Take from the attention function that was called last that it is causal."""
    is_told = call.options.keys() | call.inputs.keys()
    if any(seen.spec.causal for seen in last) and not is_told & {"causal", "mask"}:
        call.options["causal"] = True
        call.notes.append(_TAKEN_AS_CAUSAL)


def _passed(
    passage: Passage,
    role: str,
    _layer: Any,
    positional: tuple[Any, ...],
    keywords: dict[str, Any],
    result: object,
) -> None:
    """Keep what a part of a layer read and gave."""
    with reason_reported("The projections", passage.notes.append):
        arguments = [*positional, *keywords.values()]
        passage.read[role] = copied(role, arguments[0])
        passage.given[role] = copied(role, parts(result)[0])


@short_signature
def record(module: Any) -> Recording:
    """Record the attention that a module of PyTorch computes.

    For as long as the block lasts. What the module computes stays the same in every
    bit, except that a compiled module runs as it was written. Arrays are copied; the
    recording keeps nothing of the module alive.

    Parameters
    ----------
    module : torch.nn.Module
        A model or a layer. Seen are layers of Hugging Face with any of its attention
        functions, nn.MultiheadAttention, calls of `scaled_dot_product_attention`, and
        a softmax whose result is multiplied with values. Of a module with one layer
        whose projections are linear layers with names such as ``q_proj``, ``k_proj``,
        ``v_proj`` and ``o_proj``, ``query``, ``key`` and ``value``, or ``qkv``, the
        projections are recorded, too.

    Returns
    -------
    Recording
        To be used with ``with``. The last call counts: its `RecordedRun.layers` can be
        explored and saved, and `Recording.diagnose` compares them.

    Raises
    ------
    TypeError
        If it is no module of PyTorch.

    Examples
    --------
    >>> import attnviewer
    >>> with attnviewer.record(model) as recorded:  # doctest: +SKIP
    ...     model(**inputs)
    >>> recorded.attention(layer=3)["weights"]  # doctest: +SKIP
    >>> attnviewer.explore(recorded, layer=3)  # doctest: +SKIP
    >>> recorded.save("run.npz")  # doctest: +SKIP
    """
    return Recording(module)
