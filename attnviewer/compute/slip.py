"""The mistake of the catalogue that a computation is made with."""

import math
from dataclasses import dataclass

from attnviewer.compute.arguments import check_name, real_number, whole_number


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake that a computation is deliberately made with.

    Parameters
    ----------
    id : str
        The mistake's id, such as ``scale-missing`` or, with the matrix that it is
        about, ``weight-transposed:W_Q``.
    variation : int
        Which of the ways to make it, in the order of the catalogue; those of one
        matrix are counted by themselves.
    parameter : float or None
        The number that it is made with, where that may be any of a range, as a
        temperature; None otherwise.

    Raises
    ------
    ValueError
        If there is no such mistake, or it has no such number.
    TypeError
        If a value is of another type.
    """

    id: str
    variation: int = 0
    parameter: float | None = None

    def __post_init__(self) -> None:
        # Imported here, as the mistakes are made of stages, which a spec decides on.
        from attnviewer.compute.mistakes.catalogue import BY_ID

        if not isinstance(self.id, str):
            raise TypeError(
                "The 'id' of a mistake must be a text. "
                f"Got {type(self.id).__name__} instead."
            )
        name = self.id.partition(":")[0]
        check_name("id of a mistake", name, BY_ID)
        whole_number("variation of a mistake", self.variation, 0)
        if self.parameter is None:
            return
        if not math.isfinite(real_number("parameter of a mistake", self.parameter)):
            raise ValueError(
                "The 'parameter' of a mistake must be a finite number. "
                f"Got {self.parameter} instead."
            )
        if BY_ID[name].along is None:
            raise ValueError(
                f"The 'parameter' of the mistake '{name}' must be none: it is made in "
                f"fixed ways. Got {self.parameter} instead."
            )

    def __str__(self) -> str:
        way = f", way {self.variation + 1}" if self.variation else ""
        number = "" if self.parameter is None else f", {self.parameter:.6g}"
        return f"{self.id}{way}{number}"

    @property
    def title(self) -> str:
        """The mistake in a few words."""
        from attnviewer.compute.mistakes.catalogue import BY_ID

        name, _, detail = self.id.partition(":")
        return BY_ID[name].title.format(detail=detail, parameter=self.parameter)
