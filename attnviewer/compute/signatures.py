"""Readable signatures: long unions by their names."""

import inspect
import types
from collections.abc import Callable
from typing import TypeVar, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

_Function = TypeVar("_Function", bound=Callable[..., object])
_NAMED = {"ArrayLike": {*get_args(ArrayLike)}, "DTypeLike": {*get_args(DTypeLike)}}
"""Unions that take six lines when written out."""


class _NamedAnnotation:
    """An annotation that is shown by name."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def short_signature(function: _Function) -> _Function:
    """Shorten the annotations of a function in ``help`` and tool tips.

    ``ArrayLike`` and ``DTypeLike`` are written by their names. What type checkers
    and ``typing.get_type_hints`` read stays as it is.
    """
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(annotation=_named(parameter.annotation))
        for parameter in signature.parameters.values()
    ]
    short = signature.replace(
        parameters=parameters, return_annotation=_named(signature.return_annotation)
    )
    function.__signature__ = short  # type: ignore[attr-defined]
    return function


def _named(annotation: object) -> object:
    """Return an annotation with unions by name; an empty one is unchanged."""
    if annotation is inspect.Signature.empty:
        return annotation
    return _NamedAnnotation(_text(annotation))


def _text(annotation: object) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        names = []
        for name, union in _NAMED.items():
            if union <= {*arguments}:
                names.append(name)
                arguments = tuple(a for a in arguments if a not in union)
        return " | ".join([*names, *map(_text, arguments)])
    if annotation is types.NoneType:
        return "None"
    if annotation is ... or isinstance(annotation, str):
        return "..." if annotation is ... else annotation
    if origin is np.ndarray:
        return "ndarray"
    if isinstance(annotation, list):  # the parameters of a callable
        return f"[{', '.join(map(_text, annotation))}]"
    if isinstance(origin, type):
        return f"{origin.__name__}[{', '.join(map(_text, arguments))}]"
    if isinstance(annotation, type):
        return annotation.__name__
    return inspect.formatannotation(annotation)
