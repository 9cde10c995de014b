"""Normalisers: from scores to weights. Each is a file here and a line in by_name."""

from attnviewer.compute.normalizers.base import Normalizer, Separable
from attnviewer.compute.normalizers.by_name import NORMALIZERS, normalize

__all__ = ["NORMALIZERS", "Normalizer", "Separable", "normalize"]
