"""What a planted mistake is made of."""

from dataclasses import dataclass
from typing import Any

from tests.compute.mistakes.plain import Hook, Layer


@dataclass(frozen=True)
class Planted:
    """A layer, the methods of the plain implementation that are wrong, what shows it.

    Parameters
    ----------
    layer : Layer
        What is meant.
    hooks : dict of str to callable
        The wrong methods, each called with the implementation first.
    compared : tuple of str
        The steps that must be those of the catalogue's mistake.
    parameter : float or None
        The parameter that the mistake must have; None for any.
    fitted : float or None
        The parameter at which the mistake is made where none is listed.
    """

    layer: Layer
    hooks: dict[str, Hook]
    compared: tuple[str, ...] = ("weights", "output")
    parameter: float | None = None
    fitted: float | None = None


def planted(
    layer: Layer,
    *compared: str,
    parameter: float | None = None,
    fitted: float | None = None,
    **hooks: Any,
) -> Planted:
    """Return a layer with wrong methods; weights and output are compared by default."""
    steps = compared or ("weights", "output")
    return Planted(layer, hooks, steps, parameter, fitted)
