"""The record of one call of a layer."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attnviewer.compute.arrays import Numbers


@dataclass
class Call:
    """The record of one call of a layer.

    Parameters
    ----------
    inputs : dict of str to ndarray
        What went in, with the weights.
    mine : dict of str to ndarray
        What was computed, by the names of steps.
    options : dict of str to Any
        What the layer is meant to compute, as far as it tells.
    notes : list of str
        What could not be read, a sentence each.
    """

    inputs: dict[str, Numbers] = field(default_factory=dict)
    mine: dict[str, Numbers] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def arguments_of(
    module: Any, positional: tuple[Any, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call by the names of the parameters.

    Parameters
    ----------
    module : torch.nn.Module
        The module that was called.
    positional, keywords
        How it was called.
    """
    signature = inspect.signature(module.forward)
    bound = signature.bind(*positional, **keywords)
    bound.apply_defaults()
    arguments = dict(bound.arguments)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            arguments |= arguments.pop(parameter.name)
    return arguments
