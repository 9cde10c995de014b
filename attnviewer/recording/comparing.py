"""Diagnosis of a call of a layer, with its projections."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.from_arrays import diagnose
from attnviewer.recording.call import Call

_PROJECTIONS = frozenset("QKV")
_NO_HEADS = (
    "The 'n_heads' must be given: the layer has no attribute that tells how many heads "
    "it has. Got none instead."
)


def diagnosis_of(call: Call, options: Mapping[str, Any]) -> Diagnosis:
    """Compare what a call computed with the attention of its inputs and weights.

    Parameters
    ----------
    call : Call
        What was recorded.
    options : mapping of str to Any
        What is meant, as for `attnviewer.diagnose`, in place of what was read.

    Raises
    ------
    ValueError
        If what it computed or the number of heads is unknown, or something does not
        fit.
    """
    if not call.mine:
        raise ValueError(" ".join(call.notes))
    meant = {**call.options, **options}
    if meant.get("n_heads") is None and not meant.keys() & {"heads", "num_heads"}:
        raise ValueError(_NO_HEADS)
    # What a Linear gives is what its weights say. How it is divided is not, and to
    # hold it would hide that queries and keys are exchanged or split wrongly.
    made = {n: a for n, a in call.mine.items() if n not in _PROJECTIONS}
    diagnosis = diagnose(call.inputs, made, **meant)
    if not diagnosis.agrees and not diagnosis.findings:
        diagnosis = diagnose(call.inputs, call.mine, **meant)
    notes = (*call.notes, *diagnosis.notes)
    case = replace(diagnosis.case, notes=notes)
    return replace(diagnosis, notes=notes, case=case)
