"""Recording what a layer of PyTorch computes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any

from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.compute.signatures import short_signature
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.from_arrays import diagnose
from attnviewer.doctor.recording.call import Call, arguments_of
from attnviewer.doctor.recording.layers import attention_in
from attnviewer.doctor.recording.multi_head import is_multi_head, multi_head_call
from attnviewer.doctor.recording.projected import Passage, Projected
from attnviewer.doctor.recording.projections import OUTPUT, projections_of, unnamed_in
from attnviewer.doctor.recording.tensors import copied, parts

_NORMS = "q_norm", "k_norm"
_PROJECTIONS = frozenset("QKV")
_NO_HEADS = (
    "The 'n_heads' must be given: the layer has no attribute that tells how many heads "
    "it has. Got none instead."
)
_NO_CALL = "The layer must be called while it is recorded. Got no call instead."


class Recording:
    """What a layer of attention computed in its last call.

    Used with ``with``; what was recorded can be read during the block and after it.

    Parameters
    ----------
    module : torch.nn.Module
        The layer, or a module that holds one and no more.

    Raises
    ------
    TypeError
        If it is no module of PyTorch.
    ValueError
        If no layer of attention is found in it, or several.
    """

    def __init__(self, module: Any) -> None:
        self._layer: Any = attention_in(module)
        self._hooks: list[Any] = []
        self._call: Call | None = None

    def __enter__(self) -> "Recording":
        if self._layer is None:
            raise RuntimeError("A recording can be entered once.")
        layer, self._layer = self._layer, None
        try:
            if is_multi_head(layer):
                self._watch(layer, self._multi_head)
            else:
                self._watch_projections(layer)
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
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    @property
    def inputs(self) -> dict[str, Numbers]:
        """What went into the layer, and its weights as (in, out)."""
        return self._last.inputs

    @property
    def mine(self) -> dict[str, Numbers]:
        """What the layer computed, by the names of steps."""
        return self._last.mine

    @property
    def options(self) -> dict[str, Any]:
        """What the layer is meant to compute, as far as it tells."""
        return self._last.options

    @property
    def unread(self) -> tuple[str, ...]:
        """What could not be read of the layer, a sentence each."""
        return tuple(self._last.told)

    def diagnose(self, **options: Any) -> Diagnosis:
        """Tell what is wrong with the layer.

        Parameters
        ----------
        **options
            What is meant, as for `attnviewer.diagnose`, in place of what was read;
            None for an option that was read by mistake.

        Returns
        -------
        Diagnosis
            Its notes tell what could not be read.

        Raises
        ------
        ValueError
            If the layer was not called, what it computed or the number of heads
            cannot be read, or something does not fit.
        """
        call = self._last
        if not call.mine:
            raise ValueError(" ".join(call.told))
        meant = call.options | options
        if meant.get("n_heads") is None and not meant.keys() & {"heads", "num_heads"}:
            raise ValueError(_NO_HEADS)
        # What a Linear gives is what its weights say. How it is divided is not, and to
        # hold it would hide that queries and keys are exchanged or split wrongly.
        made = {n: a for n, a in call.mine.items() if n not in _PROJECTIONS}
        diagnosis = diagnose(call.inputs, made, **meant)
        if not diagnosis.agrees and not diagnosis.findings:
            diagnosis = diagnose(call.inputs, call.mine, **meant)
        notes = (*call.told, *diagnosis.notes)
        case = replace(diagnosis.case, notes=notes)
        return replace(diagnosis, notes=notes, case=case)

    @property
    def _last(self) -> Call:
        if self._call is None:
            raise ValueError(_NO_CALL)
        return self._call

    def _watch(self, layer: Any, hook: Callable[..., None]) -> None:
        self._hooks.append(layer.register_forward_hook(hook, with_kwargs=True))

    def _multi_head(
        self, layer: Any, positional: Any, keywords: Any, result: object
    ) -> None:
        arguments = arguments_of(layer, positional, keywords)
        self._call = multi_head_call(layer, arguments, result)

    def _watch_projections(self, layer: Any) -> None:
        projections, told = projections_of(layer), []
        unnamed = unnamed_in(layer) if OUTPUT not in projections else []
        if len(unnamed) == 1:
            projections[OUTPUT] = unnamed.pop()
            name = projections[OUTPUT].name
            told.append(f"'{name}' is taken for the projection of the output.")
        passage = Passage()
        for role, projection in projections.items():
            self._watch(projection.module, partial(_passed, passage, role))
        for norm in _NORMS:
            child = getattr(layer, norm, None)
            if child is not None and any(True for _ in child.parameters()):
                self._watch(child, partial(_passed, passage, norm))
        reader = Projected(layer, projections, tuple(unnamed), tuple(told))
        self._watch(layer, partial(self._projected, reader, passage))

    def _projected(
        self,
        reader: Projected,
        passage: Passage,
        layer: Any,
        positional: Any,
        keywords: Any,
        result: object,
    ) -> None:
        arguments = arguments_of(layer, positional, keywords)
        self._call = reader.call(passage, arguments, result)


def _passed(
    passage: Passage,
    role: str,
    _layer: Any,
    positional: tuple[Any, ...],
    keywords: dict[str, Any],
    result: object,
) -> None:
    """Keep what a part of a layer read and gave."""
    arguments = [*positional, *keywords.values()]
    passage.read[role] = copied(role, arguments[0])
    passage.given[role] = copied(role, parts(result)[0])


@short_signature
def record(module: Any) -> Recording:
    """Record what a layer of attention of PyTorch computes, for a diagnosis.

    Forward hooks are set for as long as the block lasts. Arrays are copied; the
    recording keeps nothing of the module alive.

    Parameters
    ----------
    module : torch.nn.Module
        An nn.MultiheadAttention, a layer of attention of Hugging Face, or a module of
        one's own whose projections are linear layers with names such as ``q_proj``,
        ``k_proj``, ``v_proj`` and ``o_proj``, ``query``, ``key`` and ``value``, or
        ``qkv``; also a module that holds one such layer.

    Returns
    -------
    Recording
        To be used with ``with``; its `Recording.diagnose` compares the last call.

    Raises
    ------
    TypeError
        If it is no module of PyTorch.
    ValueError
        If no layer of attention is found in it, or several.

    Examples
    --------
    >>> import attnviewer
    >>> with attnviewer.record(layer) as recorded:  # doctest: +SKIP
    ...     layer(x)
    >>> print(recorded.diagnose(causal=True))  # doctest: +SKIP
    """
    return Recording(module)
