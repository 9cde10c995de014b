"""Detectors: what kind of head a head is, by its attention."""

from attnviewer.models.detectors.copy_suppression import copy_suppression
from attnviewer.models.detectors.detector import Detector
from attnviewer.models.detectors.first_token_sink import first_token_sink
from attnviewer.models.detectors.local import local
from attnviewer.models.detectors.occurrences import occurrence_profile
from attnviewer.models.detectors.patterns import pattern_score
from attnviewer.models.detectors.random_tokens import repeated_random_tokens
from attnviewer.models.detectors.repeated_tokens import (
    duplicate_token,
    induction,
    prefix_matching,
)
from attnviewer.models.detectors.retrieval import retrieval
from attnviewer.models.detectors.separator import separator, separators_of
from attnviewer.models.detectors.table import DETECTORS

__all__ = [
    "DETECTORS",
    "Detector",
    "copy_suppression",
    "duplicate_token",
    "first_token_sink",
    "induction",
    "local",
    "occurrence_profile",
    "pattern_score",
    "prefix_matching",
    "repeated_random_tokens",
    "retrieval",
    "separator",
    "separators_of",
]
