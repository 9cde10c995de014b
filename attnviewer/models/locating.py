"""The place of a document in a checkpoint, and the run that it comes from."""

from typing import cast

from attnviewer.document.checkpoint_location import CheckpointLocation
from attnviewer.models.model import Model
from attnviewer.models.parts import PartName, own_part
from attnviewer.models.trace import ModelTrace


def located(run: ModelTrace, layer: int, head: int | None) -> CheckpointLocation:
    """Return the location of a layer or a head, and the sentence of a run."""
    model = run.model
    encoder_ids: tuple[int, ...] = ()
    if run.beside is not None:
        encoder_ids = run.beside.encoder.ids
    return CheckpointLocation(
        str(model.source),
        model.fingerprint,
        layer,
        head,
        run.ids,
        part=own_part(model.architecture) if len(model.parts) > 1 else "",
        encoder_ids=encoder_ids,
    )


def run_at(model: Model, location: CheckpointLocation) -> ModelTrace:
    """Return the run of a location over its ids.

    Raises
    ------
    ValueError
        If the model has no such part, or no such ids.
    """
    part = part_model(model, location.part)
    if location.encoder_ids:
        return part.run(location.encoder_ids, location.ids)
    return part.run(location.ids)


def part_model(model: Model, part: str) -> Model:
    """Return the part of a model that a location names; "" for a model of one part.

    Raises
    ------
    ValueError
        If the model has no such part.
    """
    return model.part(cast("PartName", part)) if part else model


def part_of_run(run: ModelTrace, part: str | None) -> ModelTrace:
    """Return the run of a part that a user names; None for the run as it is.

    Raises
    ------
    ValueError
        If the run has no such part.
    """
    return run.part(cast("PartName", part)) if part else run


def part_prefix(run: ModelTrace) -> str:
    """Return the part of an encoder–decoder before the name of a head; or ""."""
    part: PartName = own_part(run.model.architecture)
    return f"{part} " if len(run.model.parts) > 1 else ""
