"""The training record of matrices, as a part of a session."""

from collections.abc import Callable
from typing import Annotated

import msgspec

from attnviewer.compute import Array
from attnviewer.document import TrainingRecord
from attnviewer.document.training_record import LONGEST_TEXT, MOST_NAMES

READOUT = "training/readout.npy"
"""The file of a readout."""

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
    # The name of a file; left out where there is none, as in sessions from before.
    readout: str | msgspec.UnsetType = msgspec.UNSET


def training_part(
    record: TrainingRecord, kept: Callable[[str, Array], str]
) -> TrainingPart:
    """Return a record as the part of a session.

    Parameters
    ----------
    record : TrainingRecord
        The record.
    kept : callable
        Keeps an array in a file of the session, and returns its name.
    """
    plain = {name: getattr(record, name) for name in TrainingPart.__struct_fields__}
    options, trained = dict(record.options), dict(record.trained)
    readout: str | msgspec.UnsetType = msgspec.UNSET
    if record.readout is not None:
        readout = kept(READOUT, record.readout)
    changed = {"options": options, "trained": trained, "readout": readout}
    return TrainingPart(**{**plain, **changed})


def training_record(
    part: TrainingPart, array: Callable[[str], Array]
) -> TrainingRecord:
    """Return the record of a session's part.

    Parameters
    ----------
    part : TrainingPart
        The part.
    array : callable
        Returns the array in a file of the session.

    Raises
    ------
    ValueError
        If its values do not fit each other.
    """
    values = msgspec.structs.asdict(part)
    for name in ("options", "trained"):
        values[name] = tuple(values[name].items())
    readout = part.readout
    values["readout"] = None if readout is msgspec.UNSET else array(readout)
    return TrainingRecord(**values)
