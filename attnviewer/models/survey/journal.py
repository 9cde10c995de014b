"""The journal of an unfinished survey, kept beside its file."""

import contextlib
import os
import struct
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np

from attnviewer.io import FileError, write_atomically
from attnviewer.io.errors import system_reason
from attnviewer.io.file_lock import lock
from attnviewer.io.reading import check_ordinary
from attnviewer.io.strict_json import SchemaError, decode, encode
from attnviewer.models.survey.scoring import Scores
from attnviewer.models.survey.texts import BATCH, Batch

SUFFIX = ".part"
_VERSION = 1
_LONGEST_HEADER = 2**16
_RECORD = struct.Struct("<4sQI16s16s")
"""Magic bytes, number of the batch and of its texts, digest of the texts, checksum."""
_MAGIC = b"\x93ATV"


class Journal:
    """The scores of finished batches, appended to a file as they come.

    The file survives the process, however that ends. A record that was not completely
    written is dropped.

    Parameters
    ----------
    path : Path
        The file; made if there is none.
    survey : dict
        What is surveyed: the model, its fingerprint, the metrics, the limit of tokens.
    shape : tuple of int
        Metrics, layers and heads.

    Raises
    ------
    FileError
        If it cannot be opened, belongs to another survey, or is in use.
    """

    def __init__(
        self, path: Path, survey: dict[str, object], shape: tuple[int, int, int]
    ) -> None:
        self.path = path
        self._shape = shape
        self._places: dict[int, int] = {}
        header = encode({"survey": _VERSION, **survey}) + b"\n"
        try:
            if not path.exists():
                write_atomically(path, header)
            check_ordinary(path)
            self._file = path.open("r+b")
            try:
                self._begin(header)
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise FileError(path, system_reason(error)) from error

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._places:
            self._file.close()
        else:
            self.remove()

    def find(self, batch: Batch) -> Scores | None:
        """Return the scores of a batch; None if it is not finished.

        Raises
        ------
        FileError
            If the batch had other texts.
        """
        place = self._places.get(batch.number)
        if place is None:
            return None
        self._file.seek(place)
        head = _RECORD.unpack(self._file.read(_RECORD.size))
        count = head[2]
        if (count, head[3]) != (len(batch.texts), batch.digest):
            raise FileError(
                self.path,
                "It is an unfinished survey of other texts: those from "
                f"{batch.places[0]} on differ. Remove it to start again.",
            )
        payload = self._file.read(self._size(count))
        states = np.frombuffer(payload, np.uint8, count)
        values = np.frombuffer(payload, "<f8", offset=count)
        return Scores(states, values.reshape(count, *self._shape))

    def add(self, batch: Batch, scores: Scores) -> None:
        """Append the scores of a batch, and wait until they are on the disk.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        payload = scores.states.tobytes() + scores.values.astype("<f8").tobytes()
        fields = _MAGIC, batch.number, len(batch.texts), batch.digest
        record = _RECORD.pack(*fields, _checksum(fields, payload)) + payload
        try:
            place = self._file.seek(0, os.SEEK_END)
            self._file.write(record)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise FileError(self.path, system_reason(error)) from error
        self._places[batch.number] = place

    def remove(self) -> None:
        """Remove the file, as when the survey is written."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def _size(self, count: int) -> int:
        return count + 8 * count * int(np.prod(self._shape))

    def _begin(self, header: bytes) -> None:
        with contextlib.suppress(OSError):  # a file system without locks
            if not lock(self._file):
                raise FileError(self.path, "Another survey is writing it.")
        found = self._file.readline(_LONGEST_HEADER)
        if found != header:
            raise FileError(self.path, _difference(found, header))
        whole = self._file.tell()
        while place := self._whole_record(self._file):
            whole = place
        self._file.truncate(whole)

    def _whole_record(self, file: BinaryIO) -> int:
        """Read a record and return where it ends; 0 if it is not whole."""
        place = file.tell()
        head = file.read(_RECORD.size)
        if len(head) < _RECORD.size:
            return 0
        *fields, checksum = _RECORD.unpack(head)
        magic, number, count = fields[:3]
        if magic != _MAGIC or not 0 < count <= BATCH:
            return 0
        payload = file.read(self._size(count))
        if _checksum(fields, payload) != checksum:
            return 0
        self._places[number] = place
        return file.tell()


def _checksum(fields: tuple[object, ...] | list[object], payload: bytes) -> bytes:
    return blake2b(repr(tuple(fields)).encode() + payload, digest_size=16).digest()


def _difference(found: bytes, wanted: bytes) -> str:
    """Return why a file is refused."""
    end = "Remove it to start again, or write to another file."
    try:
        own = decode(found, dict[str, object])
    except SchemaError:
        return f"It is no unfinished survey. {end}"
    expected = decode(wanted, dict[str, object])
    for name, value in expected.items():
        if own.get(name) != value:
            what = name.replace("_", " ")
            return f"It is an unfinished survey with another {what}. {end}"
    return f"It is an unfinished survey of another kind. {end}"
