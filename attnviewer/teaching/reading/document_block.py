"""The `document` block."""

from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath

from attnviewer.compute.arguments import check_name
from attnviewer.doctor.reading.options_text import parse_options
from attnviewer.document import parse_number
from attnviewer.teaching.documents import MATRICES, DocumentBlock
from attnviewer.teaching.mistaken import check_mistake
from attnviewer.teaching.reading.entries import (
    Entries,
    Entry,
    LineError,
    read_value,
    whole,
)

MOST_TOKENS, MOST_COLUMNS = 64, 64
"""The most rows and columns of a matrix that a block gives or draws."""
LONGEST_OPTIONS = 1000
"""The most characters of the options."""
_SIZES = "width", "d_k", "d_v"
_OWN = ("tokens", "context-tokens", "options", *MATRICES, "draw", "numbers", *_SIZES)
KEYS = ("example", "file", *_OWN, "seed", "mistake")
Rows = tuple[tuple[float, ...], ...]


def read_document(entries: Entries) -> DocumentBlock:
    """Return what a `document` block says.

    Raises
    ------
    LineError
        If something is missing, unknown or out of range.
    """
    example, file = entries.one("example"), entries.one("file")
    tokens = entries.one("tokens")
    sources = [entry for entry in (example, file, tokens) if entry is not None]
    if len(sources) != 1:
        raise LineError(
            sources[1].line if sources else entries.line,
            "The document must have one of 'example', 'file' and 'tokens'. "
            f"Got {len(sources)} of them instead.",
        )
    block = DocumentBlock(line=entries.line)
    if example is not None:
        block = replace(block, example=example.value)
    elif file is not None:
        block = replace(block, file=_beside(file))
    else:
        assert tokens is not None
        block = _numbers(block, tokens, entries)
    mistake, seed = entries.one("mistake"), entries.one("seed")
    if mistake is not None:
        block = replace(block, mistakes=read_value(mistake, _mistakes))
    if seed is not None and seed.value != "each":
        block = replace(block, seed=whole(seed, 0, 2**31 - 1))
    entries.finish(KEYS)
    return block


def _beside(entry: Entry) -> str:
    """Return the name of a file that lies beside the lesson, not elsewhere."""
    name = entry.value
    plain = PurePosixPath(name).name == name and PureWindowsPath(name).name == name
    if not plain or name.startswith(".") or len(name) > 200 or not name.isprintable():
        raise LineError(
            entry.line,
            "The 'file' must be the name of a file beside the lesson, without folders. "
            f"Got '{name}' instead.",
        )
    return name


def _numbers(block: DocumentBlock, tokens: Entry, entries: Entries) -> DocumentBlock:
    matrices: dict[str, Rows] = {}
    for name in MATRICES:
        entry = entries.one(name)
        if entry is not None:
            matrices[name] = read_value(entry, _rows)
    drawn = entries.one("draw")
    draw = () if drawn is None else read_value(drawn, _drawn)
    for name in draw:
        if name in matrices:
            assert drawn is not None
            raise LineError(
                drawn.line, f"The '{name}' must be given or drawn, not both."
            )
    context, numbers = entries.one("context-tokens"), entries.one("numbers")
    options = entries.one("options")
    if options is not None:
        read_value(options, _check_options)
    sizes = {
        name: whole(entry, 1, MOST_COLUMNS)
        for name in _SIZES
        if (entry := entries.one(name)) is not None
    }
    return replace(
        block,
        tokens=read_value(tokens, _tokens),
        context_tokens=() if context is None else read_value(context, _tokens),
        options="" if options is None else options.value.replace("\n", " "),
        matrices=matrices,
        draw=draw,
        numbers=None if numbers is None else read_value(numbers, _range),
        **sizes,  # type: ignore[arg-type]
    )


def _check_options(text: str) -> None:
    if len(text) > LONGEST_OPTIONS:
        raise ValueError(f"The options must have at most {LONGEST_OPTIONS} characters.")
    parse_options(text)


def _tokens(text: str) -> tuple[str, ...]:
    tokens = tuple(part.strip() for part in text.replace("\n", " ").split(","))
    if not all(tokens) or len(tokens) > MOST_TOKENS:
        raise ValueError(
            f"The tokens must be 1 to {MOST_TOKENS} words apart by commas. "
            f"Got “{text[:100]}” instead."
        )
    return tokens


def _rows(text: str) -> Rows:
    parts = text.replace("\n", " ").split(";")
    if len(parts) > MOST_TOKENS or any(len(p.split()) > MOST_COLUMNS for p in parts):
        raise ValueError(
            f"A matrix must have at most {MOST_TOKENS} rows and {MOST_COLUMNS} columns."
        )
    rows = tuple(
        tuple(parse_number(n, infinite=True) for n in part.split()) for part in parts
    )
    if not rows[0] or len({len(row) for row in rows}) > 1:
        raise ValueError(
            "The rows of a matrix must have as many numbers each, apart by ';'. "
            f"Got {', '.join(str(len(row)) for row in rows)} numbers instead."
        )
    return rows


def _drawn(text: str) -> tuple[str, ...]:
    names = tuple(text.replace(",", " ").split())
    for name in names:
        check_name("draw", name, MATRICES)
    if len(set(names)) < len(names):
        raise ValueError(f"The 'draw' must name each matrix once. Got {text} instead.")
    return names


def _range(text: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    try:
        least, most = int(low.replace("−", "-")), int(high.replace("−", "-"))
    except ValueError:
        least, most = 1, 0
    if not dots or not -1000 <= least < most <= 1000:
        raise ValueError(
            "The 'numbers' must be a range of whole numbers from −1000 to 1000, such "
            f"as -2..2. Got '{text}' instead."
        )
    return least, most


def _mistakes(text: str) -> tuple[str, ...]:
    several = text.startswith("any of ")
    ids = tuple(part.strip() for part in text.removeprefix("any of ").split(","))
    if len(ids) > 1 and not several:
        raise ValueError(f"Write 'any of {text}' to choose one of several mistakes.")
    for id in ids:
        check_mistake(id)
    return ids
