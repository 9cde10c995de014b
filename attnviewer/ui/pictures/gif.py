"""Animated GIFs, by Pillow, which is imported when it is needed."""

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QImage

if TYPE_CHECKING:
    from PIL.Image import Image

PACES_MS = (20, 10_000)
"""Least and most milliseconds per frame; many viewers slow down faster ones."""


class MissingPillowError(Exception):
    """Pillow is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(
            "Animated GIFs need Pillow, which is not installed: "
            'pip install "attnviewer[gif]"'
        )


def require_pillow() -> None:
    """Check that Pillow is installed.

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
    """An animation that frames are added to.

    Consecutive frames of a group share a palette, so that unchanged
    areas stay exactly the same and take no space in the file.

    Parameters
    ----------
    colors : sequence of str
        Names of colours that may first occur in later frames.
    """

    def __init__(self, colors: Sequence[str]) -> None:
        require_pillow()
        self._colors = colors
        self._frames: list[Image] = []
        self._group: object = None
        self._palette: Image | None = None

    def __len__(self) -> int:
        return len(self._frames)

    def add(
        self,
        frame: QImage,
        group: object,
        samples: Callable[[], Sequence[QImage]],
    ) -> None:
        """Add a frame.

        Parameters
        ----------
        frame : QImage
            Of the same size as all the others.
        group : object
            Equal for consecutive frames that share a palette.
        samples : callable
            Returns pictures with all colours of the group.
        """
        from PIL import Image

        rgb = _pillow(frame)
        if self._palette is None or group != self._group:
            self._group = group
            self._palette = self._sample(samples()).quantize(
                256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
            )
        self._frames.append(
            rgb.quantize(palette=self._palette, dither=Image.Dither.NONE)
        )

    def content(self, pace: int, comment: str) -> bytes:
        """Return the file, which loops for ever.

        Parameters
        ----------
        pace : int
            Milliseconds per frame; the last is shown three times as long.
        comment : str
            The comment in the file.
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

    def _sample(self, pictures: Sequence[QImage]) -> "Image":
        """Return pictures with swatches of the extra colours below them."""
        from PIL import Image

        side = 24
        wide, high = pictures[0].width(), sum(picture.height() for picture in pictures)
        sample = Image.new("RGB", (wide, high + side))
        top = 0
        for picture in pictures:
            sample.paste(_pillow(picture), (0, top))
            top += picture.height()
        for index, name in enumerate(self._colors):
            color = QColor(name)
            box = index * side, high, (index + 1) * side, high + side
            sample.paste((color.red(), color.green(), color.blue()), box)
        return sample


def _pillow(frame: QImage) -> "Image":
    from PIL import Image

    frame = frame.convertToFormat(QImage.Format.Format_RGB888)
    size = frame.width(), frame.height()
    pixels = bytes(frame.constBits())
    return Image.frombuffer("RGB", size, pixels, "raw", "RGB", frame.bytesPerLine(), 1)
