"""Strict JSON, with errors that name the place."""

import codecs
import json
import re
from typing import Any, TypeVar

import msgspec

_Layout = TypeVar("_Layout")
# The longer marks come first: one of UTF-32 begins like one of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


class SchemaError(ValueError):
    """Invalid content, with its place as a JSON path or line."""

    def __init__(self, reason: str, location: str | None = None) -> None:
        super().__init__(reason)
        self.location = location


def bare(data: bytes) -> bytes:
    """Return the bytes of a text without its byte order mark.

    Raises
    ------
    SchemaError
        If the text is empty, or in UTF-16 or UTF-32.
    """
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            raise SchemaError(f"It is text in {encoding}. JSON must be in UTF-8.")
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data or data.isspace():
        raise SchemaError("The file is empty.")
    return data


def encode(value: object) -> bytes:
    r"""Return a value as strict JSON.

    Lone surrogates, which a file's name may hold, have no UTF-8: they are written as
    ``\udc80``, and read back as these six characters.
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
        return _HALF.sub(_written_out, text).encode()


def decode(data: bytes | msgspec.Raw, layout: type[_Layout]) -> _Layout:
    """Decode JSON into a layout.

    Raises
    ------
    SchemaError
        If it is not strict JSON, or does not fit the layout.
    """
    return _decoded(data, msgspec.json.Decoder(layout))


def decode_entries(data: bytes | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """Return the undecoded entries of an object by name.

    Raises
    ------
    SchemaError
        If it is not an object in strict JSON, or two entries have the same name.
    """
    entries: dict[str, msgspec.Raw] = {}
    for key, entry in _decoded(data, _ENTRIES).items():
        if key.name in entries:
            raise _repeated(key.name)
        entries[key.name] = entry
    return entries


def check_names(data: bytes) -> None:
    """Check that no object repeats a name, at any depth.

    Of two entries with the same name, `decode` returns the last.

    Parameters
    ----------
    data : bytes
        Strict JSON.

    Raises
    ------
    SchemaError
        If one does, they are nested too deeply, or a text that `decode` passes over,
        as it is in no layout, is not in UTF-8.
    """
    try:
        json.loads(
            data.decode(),
            object_pairs_hook=_check_object,
            parse_int=str,
            parse_float=str,
        )
    except UnicodeDecodeError:
        raise SchemaError("It is not text in UTF-8.") from None
    except RecursionError:
        raise SchemaError("Its lists are nested too deeply.") from None


def reason_and_location(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return the reason of an error as a sentence, and its place as a JSON path."""
    reason, _, where = str(error).partition(" - at ")
    location = next(iter(re.findall(r"`(\$[^`]*)`", where)), "$")
    reason = reason.replace("Invalid enum value", "Unknown name")
    reason = _OUT_OF_RANGE.sub("The number is too large", reason)
    reason = _KINDS.sub(_in_words, reason)
    reason = reason.replace("`", "'")
    end = "" if reason.endswith((".", "?")) else "."
    return reason + end, location


def line(data: bytes, position: int | None = None) -> str:
    """Return the line of a byte, by default of the last one."""
    end = len(data) if position is None else position
    breaks = data.count(b"\n", 0, end)
    return f"line {breaks + 1}"


def shortened(text: str) -> str:
    """Return a text from a file as one line for a message, without a long middle."""
    short = text
    if len(text) > _LONGEST:
        # Names of tensors often differ at their ends.
        short = f"{text[: _LONGEST - _END - 1]}…{text[-_END:]}"
    return "".join(sign if sign.isprintable() else "�" for sign in short)


class _Key:
    """A key that equals no other, so that repeated names are kept."""

    def __init__(self, name: str) -> None:
        self.name = name


def _check_object(entries: list[tuple[str, None]]) -> None:
    names: set[str] = set()
    for name, _ in entries:
        if name in names:
            raise _repeated(name)
        names.add(name)


def _repeated(name: str) -> SchemaError:
    return SchemaError(f"Two entries have the name '{shortened(name)}'.")


def _key(kind: type, name: Any) -> _Key:
    return _Key(name)


def _in_words(kinds: re.Match[str]) -> str:
    return " or ".join(_TYPES[kind] for kind in kinds[0].strip("`").split(" | "))


def _written_out(half: re.Match[str]) -> str:
    return rf"\\u{ord(half[0]):04x}"


_HALF = re.compile("[\ud800-\udfff]")
_ENTRIES = msgspec.json.Decoder(dict[_Key, msgspec.Raw], dec_hook=_key)
_LONGEST, _END = 60, 20
_OUT_OF_RANGE = re.compile("^(Number|Integer value) out of range")
_TYPES = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_KIND = f"(?:{'|'.join(_TYPES)})"
_KINDS = re.compile(rf"`{_KIND}(?: \| {_KIND})*`")


def _decoded(
    data: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[_Layout]
) -> _Layout:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        reason, location = reason_and_location(error)
        raise SchemaError(reason, location) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed(bytes(data), str(error)) from None
    except RecursionError:
        raise SchemaError("Its lists are nested too deeply.") from None


def _malformed(data: bytes, message: str) -> SchemaError:
    found = re.search(r"\(byte (\d+)\)", message)
    if found is None:
        try:  # what msgspec says of it depends on the version
            data.decode()
        except UnicodeDecodeError:
            return SchemaError("It is not text in UTF-8.")
        return SchemaError("It is not JSON: the text breaks off.", line(data))
    position = int(found[1])
    location = line(data, position)
    # The decoder stops after the minus sign.
    start = position - (data[position - 1 : position] == b"-")
    word = re.match(rb"-?(NaN|Infinity)", data[start : start + 9])
    if word:
        reason = f"{word[0].decode()} is not allowed: numbers must be finite."
        return SchemaError(reason, location)
    reason = re.sub(r"^JSON is malformed: | \(byte \d+\)$", "", message)
    return SchemaError(f"It is not JSON: {reason}.", location)
