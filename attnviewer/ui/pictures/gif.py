"""Frames as a moving picture, by Pillow, which is imported when it is needed."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QImage

if TYPE_CHECKING:
    from PIL.Image import Image

PACES_MS = (20, 10_000)
"""Between two frames, at least and at most; faster ones many viewers slow down."""


class MissingPillowError(Exception):
    """Pillow is not installed, with the way to get it."""

    def __init__(self) -> None:
        super().__init__(
            "Moving pictures need Pillow, which is not installed: "
            'pip install "attnviewer[gif]"'
        )


def require_pillow() -> None:
    """Do nothing if Pillow is there.

    Raises
    ------
    MissingPillowError
        If it is not.
    """
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        raise MissingPillowError from None


class Gif:
    """A moving picture that frames are added to.

    Frames in a row that belong together share the colours of the first of them, so
    that what does not move stays exactly as it is, and takes no room in the file.

    Parameters
    ----------
    colors : sequence of str
        Names of colours that may come up in later frames alone.
    """

    def __init__(self, colors: Sequence[str]) -> None:
        require_pillow()
        self._colors = colors
        self._frames: list[Image] = []
        self._group: object = None
        self._palette: Image | None = None

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: QImage, group: object) -> None:
        """Add a frame.

        Parameters
        ----------
        frame : QImage
            As large as all the others.
        group : object
            What it shows; equal for frames that share their colours.
        """
        from PIL import Image

        rgb = _pillow(frame)
        if self._palette is None or group != self._group:
            self._group = group
            self._palette = self._sample(frame).quantize(
                256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
            )
        self._frames.append(
            rgb.quantize(palette=self._palette, dither=Image.Dither.NONE)
        )

    def content(self, pace: int, comment: str) -> bytes:
        """Return the file, which plays for ever.

        Parameters
        ----------
        pace : int
            Milliseconds between two frames; the last stays three times as long.
        comment : str
            What the file says of itself.
        """
        stream = io.BytesIO()
        first, *others = self._frames
        paces = [pace] * len(self._frames)
        paces[-1] = 3 * pace
        first.save(
            stream,
            "GIF",
            save_all=True,
            append_images=others,
            duration=paces,
            loop=0,
            comment=comment.encode(),
            disposal=1,
        )
        return stream.getvalue()

    def _sample(self, frame: QImage) -> "Image":
        """Return a frame with patches of the other colours below it."""
        from PIL import Image

        rgb, side = _pillow(frame), 24
        sample = Image.new("RGB", (rgb.width, rgb.height + side))
        sample.paste(rgb)
        for place, name in enumerate(self._colors):
            color = QColor(name)
            box = place * side, rgb.height, (place + 1) * side, rgb.height + side
            sample.paste((color.red(), color.green(), color.blue()), box)
        return sample


def _pillow(frame: QImage) -> "Image":
    from PIL import Image

    frame = frame.convertToFormat(QImage.Format.Format_RGB888)
    size = frame.width(), frame.height()
    pixels = bytes(frame.constBits())
    return Image.frombuffer("RGB", size, pixels, "raw", "RGB", frame.bytesPerLine(), 1)
