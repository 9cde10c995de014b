"""Answers as plain JSON values, and back."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from attnviewer.document import Document
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain
from attnviewer.io.strict_json import reason_and_location, shortened
from attnviewer.teaching.answers import answer_of, plain_answer
from attnviewer.teaching.tasks.task import Task

Plain = Any
_Text = Annotated[str, msgspec.Meta(max_length=200)]
_Place = Annotated[
    str, msgspec.Meta(pattern="^(0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})$")
]
_Numbers = Annotated[dict[_Place, _Text], msgspec.Meta(max_length=10_000)]
_Options = Annotated[
    list[Annotated[int, msgspec.Meta(ge=0, le=999)]], msgspec.Meta(max_length=100)
]


_Row = Annotated[list[float | bool | str], msgspec.Meta(max_length=2048)]
_Matrix = Annotated[list[_Row], msgspec.Meta(max_length=2048)]
_Tokens = Annotated[tuple[_Text, ...], msgspec.Meta(max_length=512)]


class _Made(msgspec.Struct, forbid_unknown_fields=True):
    tokens: _Tokens
    spec: dict[str, Any]
    matrices: dict[str, _Matrix]
    context_tokens: _Tokens = ()


def answer_to_plain(answer: Any) -> Plain:
    """Return an answer as what JSON can hold.

    Parameters
    ----------
    answer : object
        In the form that its kind of task takes.
    """
    if isinstance(answer, Document):
        return {
            "tokens": answer.tokens,
            "context_tokens": answer.context_tokens,
            "spec": spec_to_plain(answer.spec),
            "matrices": {
                name: [[_cell(value) for value in row] for row in array.tolist()]
                for name, array in answer.matrices.items()
            },
        }
    return plain_answer(answer)


def answer_from_plain(task: Task, plain: Plain, document: Document) -> Any:
    """Return an answer in the form that its task takes.

    Parameters
    ----------
    task : Task
        The task.
    plain : object
        The answer as in a file; it is not trusted.
    document : Document
        The document as its page opened it.

    Raises
    ------
    ValueError
        If it is no such answer.
    """
    try:
        return _READERS[task.kind](plain, document)
    except msgspec.ValidationError as error:
        reason, _ = reason_and_location(error)
        raise ValueError(
            f"The answer to '{task.id}' cannot be read: {reason}"
        ) from None


def _numbers(plain: Plain, document: Document) -> Any:
    return answer_of(msgspec.convert(plain, _Numbers))


def _options(plain: Plain, document: Document) -> Any:
    return answer_of(msgspec.convert(plain, _Options))


def _name(plain: Plain, document: Document) -> str:
    return msgspec.convert(plain, _Text)


def _made(plain: Plain, document: Document) -> Document:
    """Return a document that a student has changed."""
    made = msgspec.convert(plain, _Made)
    for name, rows in made.matrices.items():
        if len(set(map(len, rows))) > 1:
            raise ValueError(f"The rows of '{shortened(name)}' differ in length.")
    matrices = {
        name: [[_number(value) for value in row] for row in rows]
        for name, rows in made.matrices.items()
    }
    try:
        return Document(
            document.title,
            made.tokens,
            matrices,
            spec_from_plain(made.spec),
            context_tokens=made.context_tokens,
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"The changed document does not fit: {error}") from None


def _cell(value: float | bool) -> float | bool | str:
    return "-inf" if value == float("-inf") else value


def _number(value: float | bool | str) -> float | bool:
    if not isinstance(value, str):
        return value
    if value != "-inf":
        raise ValueError("A number is a text other than '-inf'.")
    return float(value)


_READERS: Mapping[str, Callable[[Plain, Document], Any]] = {
    "numbers": _numbers,
    "choice": _options,
    "make": _made,
    "wrong-step": _name,
    "mistake": _name,
}
