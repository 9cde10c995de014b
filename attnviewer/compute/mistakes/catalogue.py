"""All mistakes that are known, from the beginning of the computation to its end."""

from attnviewer.compute.mistakes import (
    heads,
    masking,
    mixing,
    normalizing,
    placing,
    projecting,
    rotating,
    rounding,
    scaling,
)
from attnviewer.compute.mistakes.mistake import Mistake

CATALOGUE: tuple[Mistake, ...] = (
    *projecting.MISTAKES,
    *heads.MISTAKES,
    *placing.MISTAKES,
    *rotating.MISTAKES,
    *scaling.MISTAKES,
    *masking.MISTAKES,
    *normalizing.MISTAKES,
    *mixing.MISTAKES,
    *rounding.MISTAKES,
)

BY_ID = {mistake.id: mistake for mistake in CATALOGUE}
