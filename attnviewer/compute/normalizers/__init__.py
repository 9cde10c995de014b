"""Normalisers by name. A new one is a file beside these and a line in the tuple."""

from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.normalizers.plain_sum import PlainSum
from attnviewer.compute.normalizers.softmax import Softmax

NORMALIZERS: dict[str, Normalizer] = {
    normalizer.name: normalizer for normalizer in (Softmax(), PlainSum())
}

__all__ = ["NORMALIZERS", "Normalizer"]
