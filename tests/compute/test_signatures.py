"""What ``help`` and tool tips show of functions."""

import inspect
import pydoc
import re
from typing import get_type_hints

import pytest
from numpy.typing import ArrayLike

import attnviewer
from attnviewer import models
from attnviewer.compute.signatures import short_signature


@pytest.mark.parametrize(
    "function",
    [
        attnviewer.attention,
        attnviewer.multi_head_attention,
        attnviewer.explore,
        attnviewer.normalize,
        attnviewer.rotary_embedding,
        attnviewer.Document,
        attnviewer.Trace.backward,
        models.Model.run,
    ],
)
def test_public_signatures_name_their_unions(function) -> None:
    told = str(inspect.signature(function))
    assert "ArrayLike" in told
    assert "_Buffer" not in told
    assert len(told) < 1000


def test_public_functions_name_types_without_their_modules() -> None:
    public = {**vars(models), **{n: getattr(attnviewer, n) for n in dir(attnviewer)}}
    functions = [
        f for n, f in public.items() if inspect.isfunction(f) and not n.startswith("_")
    ]
    assert len(functions) > 30
    for function in functions:
        told = str(inspect.signature(function))
        assert not re.search(r"attnviewer\.|collections\.|pathlib\.", told), told


def test_names_defaults_and_kinds_are_those_of_the_function() -> None:
    def function(
        a: ArrayLike, /, b: "ArrayLike | None" = None, *c: int, d: dict[str, float]
    ) -> list[int] | None: ...

    plain = [
        (p.name, p.kind, p.default)
        for p in inspect.signature(function).parameters.values()
    ]
    short = inspect.signature(short_signature(function))
    assert [(p.name, p.kind, p.default) for p in short.parameters.values()] == plain
    assert str(short) == (
        "(a: ArrayLike, /, b: ArrayLike | None = None, *c: int, d: dict[str, float]) "
        "-> list[int] | None"
    )


def test_type_hints_stay_what_they_are() -> None:
    assert get_type_hints(attnviewer.attention)["q"] == ArrayLike


def test_help_names_where_to_begin() -> None:
    told = pydoc.render_doc(attnviewer, renderer=pydoc.plaintext)
    names = "explore", "load_example", "open", "save", "document_of", "attention"
    for name in (*names, "multi_head_attention", "models.load", "model.run"):
        assert f"{name}(" in told
    for name in names:
        assert callable(getattr(attnviewer, name))
