"""Properties of image files that decoders do not report."""

from attnviewer.io.images.orientation import orientation
from attnviewer.io.images.png import has_grey_levels
from attnviewer.io.images.tiff import bits_of_levels
from attnviewer.io.images.truncation import is_truncated

__all__ = ["bits_of_levels", "has_grey_levels", "is_truncated", "orientation"]
