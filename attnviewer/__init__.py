"""The attention mechanism of transformers: computed, explained and on a workbench.

Where to begin:

- ``explore(...)`` opens the window on arrays, on a computation, on a document, or on a
  real model and a run of it;
- ``load_example(id)`` and ``open(path)`` return a `Document` of an example or a file,
  ``save(document, path)`` writes one, ``document_of(trace)`` makes one;
- ``attention(q, k, v)`` and ``multi_head_attention(x, w_q, w_k, w_v)`` compute a
  `Trace`: ``trace["weights"]`` is a step, ``trace.explain("weights", (0, 2))`` a number
  with what it comes from;
- ``seek(document, targets, free=...)`` finds the smallest change of inputs that makes
  a number what it should be, a `Target` or `RowTarget`;
- ``train(document, tasks.copy_previous())`` trains matrices of a document for a task;
- ``diagnose(inputs, mine)`` names the mistake in an implementation of attention,
  ``testing.assert_attention(mine, inputs)`` fails with it;
- ``record(module)`` records the attention of a module of PyTorch, to be explored,
  compared and saved; ``load_recording(path)`` reads it back;
- ``figure(document)`` draws a step as a figure for a paper: SVG, PDF or PNG;
- ``patterns.survey_patterns(trace)`` tells where the attention of each head goes, and
  ``patterns.kept_costs(...)`` what a sparse kernel would lose;
- ``models.load(folder)`` opens a checkpoint in the Hugging Face layout,
  ``model.run("a text")`` runs it.

Further: `Pin`, which holds cells of a step, `normalize`, `causal_mask`, `window_mask`,
`rotary_embedding`, `sinusoidal_encoding`, `alibi_slopes`, `alibi_bias`,
`relative_buckets`. The command ``attnviewer --help`` lists what can be done without
Python.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from attnviewer.version import __version__ as __version__

# Imported on first access: the window appears before NumPy is loaded, and computing
# needs only NumPy.
if TYPE_CHECKING:
    from attnviewer import models as models
    from attnviewer import patterns as patterns
    from attnviewer import tasks as tasks
    from attnviewer import testing as testing
    from attnviewer.compute import (
        Alibi,
        Disentangled,
        LengthScale,
        Pin,
        QKNorm,
        RelativeBias,
        Rotary,
        RotaryAxes,
        Sinusoidal,
        Trace,
        alibi_bias,
        alibi_slopes,
        attention,
        causal_mask,
        multi_head_attention,
        normalize,
        relative_buckets,
        rotary_embedding,
        sinusoidal_encoding,
        window_mask,
    )
    from attnviewer.doctor.from_arrays import diagnose as diagnose
    from attnviewer.document import Document as Document
    from attnviewer.document.from_trace import document_of as document_of
    from attnviewer.exploring import explore as explore
    from attnviewer.figures import figure as figure
    from attnviewer.files import load_example as load_example
    from attnviewer.files import open as open
    from attnviewer.files import save as save
    from attnviewer.goal_seek import RowTarget as RowTarget
    from attnviewer.goal_seek import Target as Target
    from attnviewer.goal_seek import seek as seek
    from attnviewer.recording import load_recording as load_recording
    from attnviewer.recording import record as record
    from attnviewer.training import train as train

__all__ = [
    "Alibi",
    "Disentangled",
    "LengthScale",
    "Pin",
    "QKNorm",
    "RelativeBias",
    "Rotary",
    "RotaryAxes",
    "Sinusoidal",
    "Trace",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "causal_mask",
    "multi_head_attention",
    "normalize",
    "relative_buckets",
    "rotary_embedding",
    "sinusoidal_encoding",
    "window_mask",
]


# Not in `__all__`: a star import of `open` would shadow Python's own.
_HOMES = {
    **dict.fromkeys(__all__, "attnviewer.compute"),
    "Document": "attnviewer.document",
    "document_of": "attnviewer.document.from_trace",
    "diagnose": "attnviewer.doctor.from_arrays",
    **dict.fromkeys(("load_recording", "record"), "attnviewer.recording"),
    "explore": "attnviewer.exploring",
    "figure": "attnviewer.figures",
    **dict.fromkeys(("load_example", "open", "save"), "attnviewer.files"),
    **dict.fromkeys(("RowTarget", "Target", "seek"), "attnviewer.goal_seek"),
    "train": "attnviewer.training",
}
"""The module of each public name."""

_MODULES = ("models", "patterns", "tasks", "testing")
"""Modules that are named with the package alone imported."""


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f"attnviewer.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})
