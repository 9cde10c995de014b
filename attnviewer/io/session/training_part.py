"""How matrices were trained, as a part of a session."""

from typing import Annotated

import msgspec

from attnviewer.document import TrainingRecord
from attnviewer.document.training_record import LONGEST_TEXT, MOST_NAMES

_Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
_Names = Annotated[tuple[_Text, ...], msgspec.Meta(max_length=MOST_NAMES)]
_Count = Annotated[int, msgspec.Meta(ge=1)]


class TrainingPart(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of a `TrainingRecord`, bounded."""

    task: _Text
    call: _Text
    optimizer: _Text
    lr: float
    options: Annotated[dict[_Text, float], msgspec.Meta(max_length=MOST_NAMES)]
    seed: Annotated[int, msgspec.Meta(ge=0)]
    batch: _Count | None
    steps: _Count
    kept: _Count
    first_loss: float
    last_loss: float
    start: _Text
    free: _Names
    trained: Annotated[dict[_Text, _Text], msgspec.Meta(max_length=MOST_NAMES)]
    earlier: Annotated[int, msgspec.Meta(ge=0)] = 0


def training_part(record: TrainingRecord) -> TrainingPart:
    """Return a record as the part of a session."""
    plain = {name: getattr(record, name) for name in TrainingPart.__struct_fields__}
    options, trained = dict(record.options), dict(record.trained)
    return TrainingPart(**{**plain, "options": options, "trained": trained})


def training_record(part: TrainingPart) -> TrainingRecord:
    """Return the record of a session's part.

    Raises
    ------
    ValueError
        If its values do not fit each other.
    """
    values = msgspec.structs.asdict(part)
    for name in ("options", "trained"):
        values[name] = tuple(values[name].items())
    return TrainingRecord(**values)
