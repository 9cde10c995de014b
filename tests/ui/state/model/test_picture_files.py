"""Pictures in files are decoded to colours, or refused in one sentence."""

import json
import os
import struct
import zlib

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from attnviewer.io import FileError
from attnviewer.models import load
from attnviewer.models.experiment import Experiment
from attnviewer.models.sentences import EXAMPLE_PICTURE, run_over
from attnviewer.ui.state.model.picture_files import read_picture_file
from attnviewer.ui.state.patching import PatchingChoices
from attnviewer.ui.state.patching.reading import ReadingJob
from attnviewer.ui.state.sentences.job import SentencesJob
from tests.models.vision import recorded_vision as recorded

Format = QImage.Format


def _saved(tmp_path, format_, name="picture.png"):
    image = QImage(3, 2, format_)
    image.fill(QColor(10, 200, 90))
    image.setPixelColor(2, 1, QColor(255, 0, 0, 128))
    assert image.save(str(tmp_path / name))
    return tmp_path / name


def _chunk(kind, data):
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + checksum


@pytest.mark.parametrize(
    ("format_", "last"),
    [
        (Format.Format_RGB888, (255, 0, 0)),
        (Format.Format_ARGB32, (255, 0, 0)),
        (Format.Format_RGBA64, (255, 0, 0)),
    ],
)
def test_alpha_and_deep_colours_become_eight_bits(tmp_path, qapp, format_, last):
    found = read_picture_file(_saved(tmp_path, format_))
    assert found.shape == (2, 3, 3)
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found[0, 0], (10, 200, 90))
    np.testing.assert_array_equal(found[1, 2], last)


def test_grey_becomes_three_equal_channels(tmp_path, qapp):
    found = read_picture_file(_saved(tmp_path, Format.Format_Grayscale8))
    assert (found == found[..., :1]).all()


def test_of_sixteen_bits_the_upper_eight_count_as_in_pillow(tmp_path, qapp):
    row = bytes.fromhex("00ff 80ff fe80 ffff 0080 017f")
    (tmp_path / "deep.png").write_bytes(_png(2, 1, 2, (row,), bits=16))
    found = read_picture_file(tmp_path / "deep.png")
    np.testing.assert_array_equal(found[0], [[0, 128, 254], [255, 0, 1]])


@pytest.mark.parametrize(
    "format_", [Format.Format_Grayscale16, Format.Format_RGBX32FPx4]
)
def test_levels_that_pillow_would_clip_are_refused(tmp_path, qapp, format_):
    path = _saved(tmp_path, format_, "deep.tif")
    with pytest.raises(ValueError, match=r"deep\.tif has levels of (16|32) bits"):
        read_picture_file(path)


def test_whole_numbers_of_32_bits_are_refused_as_other_deep_levels_are(tmp_path, qapp):
    # Width, height, bits, compression, meaning, strip, levels, rows, bytes, signed.
    tags = (256, 1), (257, 1), (258, 32), (259, 1), (262, 1), (273, 8), (277, 1)
    tags += (278, 1), (279, 4), (339, 2)
    entries = b"".join(struct.pack("<HHIHH", t, 3, 1, n, 0) for t, n in tags)
    directory = struct.pack("<H", len(tags)) + entries + bytes(4)
    path = tmp_path / "whole.tif"
    path.write_bytes(b"II*\0" + struct.pack("<Ii", 12, 70_000) + directory)
    with pytest.raises(ValueError, match=r"whole\.tif has levels of 32 bits"):
        read_picture_file(path)


def test_a_tiff_with_transparent_pixels_is_refused(tmp_path, qapp):
    path = _saved(tmp_path, Format.Format_ARGB32, "clear.tif")
    with pytest.raises(ValueError, match="transparent pixels, whose colours are lost"):
        read_picture_file(path)
    image = QImage(str(path))
    image.setPixelColor(2, 1, QColor(255, 0, 0))
    assert image.save(str(path))
    np.testing.assert_array_equal(read_picture_file(path)[1, 2], (255, 0, 0))


def _png(width, height, colour_type, rows, *chunks, bits=8):
    """Return a PNG of rows of bytes, written by hand."""
    header = struct.pack(">IIBBBBB", width, height, bits, colour_type, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    written = (("IHDR", header), *chunks, ("IDAT", data), ("IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind.encode(), part) for kind, part in written
    )


@pytest.mark.parametrize(
    ("turned", "upright"),
    # Where row 0 and column 0 go: CIPA DC-008, tag Orientation.
    [
        (1, [[0, 1, 2], [3, 4, 5]]),
        (2, [[2, 1, 0], [5, 4, 3]]),
        (3, [[5, 4, 3], [2, 1, 0]]),
        (4, [[3, 4, 5], [0, 1, 2]]),
        (5, [[0, 3], [1, 4], [2, 5]]),
        (6, [[3, 0], [4, 1], [5, 2]]),
        (7, [[5, 2], [4, 1], [3, 0]]),
        (8, [[2, 5], [1, 4], [0, 3]]),
    ],
)
def test_a_png_is_turned_as_it_says(tmp_path, qapp, turned, upright):
    exif = b"MM\0*" + struct.pack(">IHHHIHH4x", 8, 1, 274, 3, 1, turned, 0)
    data = _png(3, 2, 0, ([0, 1, 2], [3, 4, 5]), ("eXIf", exif))
    (tmp_path / "turned.png").write_bytes(data)
    found = read_picture_file(tmp_path / "turned.png")
    np.testing.assert_array_equal(found[..., 0], upright)


def test_a_grey_level_that_is_transparent_keeps_its_grey(tmp_path, qapp):
    data = _png(3, 1, 0, ([0, 7, 255],), ("tRNS", b"\0\xff"))
    (tmp_path / "grey.png").write_bytes(data)
    found = read_picture_file(tmp_path / "grey.png")
    np.testing.assert_array_equal(found[0], [[0] * 3, [7] * 3, [255] * 3])


@pytest.mark.parametrize("ending", ["jpg", "bmp", "gif"])
def test_an_image_that_is_cut_off_is_refused(tmp_path, qapp, ending):
    path = tmp_path / f"cut.{ending}"
    if ending == "gif":
        path.write_bytes(_gif(1))
    else:
        _saved(tmp_path, Format.Format_RGB888, path.name)
    assert read_picture_file(path).size
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError, match=rf"cut\.{ending} is cut off"):
        read_picture_file(path)


def test_paths_of_pictures_are_read_for_patching_and_the_list_of_sentences(
    tmp_path, qapp
):
    told, _ = recorded.load("dinov2")
    (tmp_path / "dino").mkdir()
    folder = recorded.write(told, tmp_path / "dino")
    config = {"image_processor_type": "BitImageProcessor", "size": 12, "crop_size": 12}
    text = json.dumps(config)
    (folder / "preprocessor_config.json").write_text(text, encoding="utf-8")
    run = run_over(load(folder), EXAMPLE_PICTURE)
    path = str(_saved(tmp_path, Format.Format_RGB888))
    missing = str(tmp_path / "missing.png")
    for typed, refused in ((path, False), (missing, True)):
        reading = ReadingJob(run, (), PatchingChoices(other=typed), None)
        reading.run()
        assert ("other" in reading.reading.refused) == refused
    sentences = SentencesJob(Experiment.over(run), 0, [path, missing])
    sentences.run()
    assert sentences.known[path].n_tokens == len(run.ids)
    assert sentences.known[path].reason == ""
    assert "missing.png" in sentences.known[missing].reason


def test_what_is_no_still_picture_is_refused(tmp_path, qapp):
    (tmp_path / "text.png").write_text("no picture", encoding="utf-8")
    with pytest.raises(ValueError, match="not an image that can be read"):
        read_picture_file(tmp_path / "text.png")
    with pytest.raises(ValueError, match=r"missing\.png"):
        read_picture_file(tmp_path / "missing.png")
    moving = _gif(2)
    (tmp_path / "moving.gif").write_bytes(moving)
    with pytest.raises(ValueError, match="is animated"):
        read_picture_file(tmp_path / "moving.gif")
    (tmp_path / "still.gif").write_bytes(_gif(1))
    assert read_picture_file(tmp_path / "still.gif").shape == (1, 1, 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_is_not_waited_for(tmp_path, qapp):
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(FileError, match="not an ordinary file"):
        read_picture_file(tmp_path / "pipe.png")


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path, qapp):
    (tmp_path / "huge.png").write_bytes(_png(10000, 10000, 2, [bytes(100)]))
    with pytest.raises(ValueError, match="10000 × 10000"):
        read_picture_file(tmp_path / "huge.png")


def _gif(frames):
    """Return a GIF of one pixel, written by hand."""
    start = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6)
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    control = b"\x21\xf9\x04\x00\x0a\x00\x00\x00"
    return start + (control + frame) * frames + b"\x3b"
