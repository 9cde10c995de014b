"""The Markdown of lessons, as paragraphs of spans, for all kinds of sheets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

SpanKind: TypeAlias = Literal["text", "strong", "emphasis", "code", "formula"]
ParagraphKind: TypeAlias = Literal["text", "heading", "item", "number", "formula"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in one style; a formula is LaTeX without its ``$``."""

    text: str
    kind: SpanKind = "text"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, a heading, a row of a list, or a formula on a line of its own."""

    spans: tuple[Span, ...]
    kind: ParagraphKind = "text"


_SPAN = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\$\$?(?P<formula>[^$]+)\$\$?"
    r"|\*\*(?P<strong>\S(?:[^*]*\S)?)\*\*"
    r"|(?<![\w*])[*_](?P<emphasis>[^\s*_](?:[^*_]*[^\s*_])?)[*_](?![\w*])"
    r"|\\(?P<escaped>[\\`*_{}\[\]()#+\-.!$])"
)
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_ITEM = re.compile(r"[-*+]\s+(.*)")
_NUMBER = re.compile(r"[0-9]{1,3}[.)]\s+(.*)")
_FORMULA = re.compile(r"\$\$?([^$]+)\$\$?")


def paragraphs(markdown: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text.

    Parameters
    ----------
    markdown : str
        Headings, paragraphs, lists, emphasis, ``code`` and ``$formulas$``; anything
        else stays as it is written.
    """
    return tuple(_paragraphs(markdown))


def spans(text: str) -> tuple[Span, ...]:
    """Return the spans of one paragraph's text."""
    return tuple(_joined(_spans(text)))


def _paragraphs(markdown: str) -> Iterator[Paragraph]:
    kind: ParagraphKind = "text"
    lines: list[str] = []
    for line in [*map(str.strip, markdown.splitlines()), ""]:
        starts = _start(line)
        if lines and (not line or starts is not None):
            yield _paragraph(kind, " ".join(lines))
            lines = []
        if starts is not None:
            kind, line = starts
        elif not lines:
            kind = "text"
        if line:
            lines.append(line)
        if kind == "heading" and lines:
            yield _paragraph(kind, " ".join(lines))
            lines = []


def _start(line: str) -> tuple[ParagraphKind, str] | None:
    """Return what begins with a line, and its text; None if it may go on."""
    kinds: tuple[tuple[ParagraphKind, re.Pattern[str]], ...] = (
        ("heading", _HEADING),
        ("item", _ITEM),
        ("number", _NUMBER),
    )
    for kind, pattern in kinds:
        found = pattern.fullmatch(line)
        if found:
            return kind, found[1]
    return None


def _paragraph(kind: ParagraphKind, text: str) -> Paragraph:
    formula = _FORMULA.fullmatch(text)
    if kind == "text" and formula:
        return Paragraph((Span(formula[1].strip(), "formula"),), "formula")
    return Paragraph(spans(text), kind)


def _spans(text: str) -> Iterator[Span]:
    end = 0
    for found in _SPAN.finditer(text):
        yield Span(text[end : found.start()])
        kind = found.lastgroup
        content = found[kind or 0]
        match kind:
            case "code" | "formula" | "strong" | "emphasis":
                yield Span(content, kind)
            case _:
                yield Span(content)
        end = found.end()
    yield Span(text[end:])


def _joined(pieces: Iterator[Span]) -> Iterator[Span]:
    """Yield the spans, neighbouring plain text as one and none empty."""
    plain = ""
    for span in pieces:
        if span.kind == "text":
            plain += span.text
            continue
        if plain:
            yield Span(plain)
            plain = ""
        yield span
    if plain:
        yield Span(plain)
