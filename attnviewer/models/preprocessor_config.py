"""The file that says how a checkpoint prepares pictures."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from attnviewer.io import FileFormatError
from attnviewer.io.stamp import Stamp
from attnviewer.io.strict_json import shortened
from attnviewer.models.json_file import read_json
from attnviewer.models.vision import Preprocessing
from attnviewer.models.vision.resampling import FILTERS

FILE, WITH_TEXT = "preprocessor_config.json", "processor_config.json"
"""The file, and that of transformers 5 for a model that reads texts as well."""
_LARGEST = 2**14
_STANDARD = (0.5, 0.5, 0.5)
_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_STD = (0.26862954, 0.26130258, 0.27577711)

Side = Annotated[int, msgspec.Meta(ge=1, le=_LARGEST)]
_Channels = Annotated[tuple[float, ...], msgspec.Meta(min_length=3, max_length=3)]


class _Size(msgspec.Struct, forbid_unknown_fields=True):
    height: Side | None = None
    width: Side | None = None
    shortest_edge: Side | None = None


class _File(msgspec.Struct):
    image_processor_type: str | None = None
    feature_extractor_type: str | None = None
    do_resize: bool | None = None
    size: Side | _Size | None = None
    resample: int | None = None
    do_center_crop: bool | None = None
    crop_size: Side | _Size | None = None
    do_rescale: bool | None = None
    rescale_factor: float | None = None
    do_normalize: bool | None = None
    image_mean: _Channels | float | None = None
    image_std: _Channels | float | None = None
    do_pad: bool | None = None


class _WithText(msgspec.Struct):
    image_processor: dict[str, Any]


class _Usual(NamedTuple):
    """The defaults of a class of transformers."""

    size: int
    resample: int
    by_short_side: bool
    crop: int | None
    mean: tuple[float, ...]
    std: tuple[float, ...]


_USUAL: Mapping[str, _Usual] = {
    "ViT": _Usual(224, 2, False, None, _STANDARD, _STANDARD),
    "DeiT": _Usual(256, 3, False, 224, _STANDARD, _STANDARD),
    "CLIP": _Usual(224, 3, True, 224, _CLIP_MEAN, _CLIP_STD),
    "Bit": _Usual(224, 3, True, 224, _CLIP_MEAN, _CLIP_STD),
}
"""The classes of transformers' image processors that are known, without suffixes."""
_SUFFIXES = ("Fast", "Pil", "ImageProcessor", "FeatureExtractor")


def read_preprocessing(folder: Path, family: str) -> Preprocessing | None:
    """Return how a checkpoint prepares pictures; None if no file says it.

    Parameters
    ----------
    folder : Path
        The checkpoint's folder.
    family : str
        The class of processor if the file names none: ``ViT``, ``CLIP`` ….

    Raises
    ------
    FileError
        If the file cannot be read, or asks for what is not computed here.
    """
    path = folder / FILE
    if Stamp.of(path) is not None:
        return _read(path, read_json(path, _File), family)
    path = folder / WITH_TEXT
    if Stamp.of(path) is None:
        return None
    inner = read_json(path, _WithText).image_processor
    try:
        return _read(path, msgspec.convert(inner, _File), family)
    except msgspec.ValidationError as error:
        raise FileFormatError(path, str(error), "$.image_processor") from None


def _read(path: Path, file: _File, family: str) -> Preprocessing:
    named = file.image_processor_type or file.feature_extractor_type or family
    stem = named
    for suffix in _SUFFIXES:
        stem = stem.removesuffix(suffix)
    usual = _USUAL.get(stem)
    if usual is None:
        raise FileFormatError(
            path,
            f"The image processor must be that of {', '.join(_USUAL)}. "
            f"Got '{shortened(named)}' instead.",
            "$.image_processor_type",
        )
    if file.do_pad:
        raise FileFormatError(
            path, "Only False is computed here. Got True instead.", "$.do_pad"
        )
    resample = usual.resample if file.resample is None else file.resample
    resizes = file.do_resize is not False
    if resizes and resample not in FILTERS:
        raise FileFormatError(
            path,
            "The filter must be 1 (Lanczos), 2 (bilinear) or 3 (bicubic). "
            f"Got {resample} instead.",
            "$.resample",
        )
    crops = (
        usual.crop is not None if file.do_center_crop is None else (file.do_center_crop)
    )
    normalizes = file.do_normalize is not False
    rescales = file.do_rescale is not False
    factor = 1 / 255 if file.rescale_factor is None else file.rescale_factor
    return Preprocessing(
        _size(path, file.size, usual) if resizes else None,
        resample,
        _crop(path, file.crop_size, usual.crop or usual.size) if crops else None,
        _positive(path, "rescale_factor", factor) if rescales else 1.0,
        _channels(file.image_mean, usual.mean) if normalizes else (0.0,) * 3,
        tuple(
            _positive(path, "image_std", number)
            for number in _channels(file.image_std, usual.std)
        )
        if normalizes
        else (1.0,) * 3,
    )


def _size(path: Path, size: int | _Size | None, usual: _Usual) -> tuple[int, int] | int:
    side = usual.size if size is None else size
    if isinstance(side, int):
        return side if usual.by_short_side else (side, side)
    if side.shortest_edge is not None and side.height is None and side.width is None:
        return side.shortest_edge
    return _height_and_width(path, "$.size", side)


def _crop(path: Path, size: int | _Size | None, usual: int) -> tuple[int, int]:
    side = usual if size is None else size
    if isinstance(side, int):
        return side, side
    return _height_and_width(path, "$.crop_size", side)


def _height_and_width(path: Path, location: str, size: _Size) -> tuple[int, int]:
    if size.height is None or size.width is None or size.shortest_edge is not None:
        given = {k: v for k, v in msgspec.structs.asdict(size).items() if v is not None}
        raise FileFormatError(
            path,
            "It must have 'height' and 'width', or of the size 'shortest_edge' alone. "
            f"Got {given} instead.",
            location,
        )
    return size.height, size.width


def _channels(
    given: tuple[float, ...] | float | None, usual: tuple[float, ...]
) -> tuple[float, ...]:
    if given is None:
        return usual
    return given if isinstance(given, tuple) else (given,) * 3


def _positive(path: Path, name: str, number: float) -> float:
    if not number > 0:
        raise FileFormatError(
            path, f"It must be greater than 0. Got {number} instead.", f"$.{name}"
        )
    return number
