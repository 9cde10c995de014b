"""Normalisers: from scores to weights. Each is a file here and a line in by_name."""

from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.normalizers.by_name import NORMALIZERS, normalize
from attnviewer.compute.normalizers.separable import Separable

__all__ = ["NORMALIZERS", "Normalizer", "Separable", "normalize"]
