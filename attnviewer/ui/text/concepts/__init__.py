"""Explanations of the program's terms: a sentence and a formula for each."""

from attnviewer.ui.text.concepts.choices import CHOICES, SCORES, VARIANTS, scale_concept
from attnviewer.ui.text.concepts.concept import TIP_WIDTH, Concept, what_is
from attnviewer.ui.text.concepts.goal_seek import GOAL_SEEK
from attnviewer.ui.text.concepts.ideas import IDEAS, idea_title
from attnviewer.ui.text.concepts.masks import MASKS
from attnviewer.ui.text.concepts.normalizers import NORMALIZERS
from attnviewer.ui.text.concepts.of_choice import value_concept
from attnviewer.ui.text.concepts.of_spec import concept_within, concepts_of, line, tip
from attnviewer.ui.text.concepts.options import (
    ABLATIONS,
    GATES,
    NORMS,
    PRECISIONS,
    length_concept,
)
from attnviewer.ui.text.concepts.patching import PATCHING
from attnviewer.ui.text.concepts.positions import POSITIONS, position_concept
from attnviewer.ui.text.concepts.statistics import STATISTICS
from attnviewer.ui.text.concepts.steps import CHANGED, STEPS, step_concept
from attnviewer.ui.text.concepts.symbols import DIMENSIONS, SIGNS

__all__ = [
    "ABLATIONS",
    "CHANGED",
    "CHOICES",
    "DIMENSIONS",
    "GATES",
    "GOAL_SEEK",
    "IDEAS",
    "MASKS",
    "NORMALIZERS",
    "NORMS",
    "PATCHING",
    "POSITIONS",
    "PRECISIONS",
    "SCORES",
    "SIGNS",
    "STATISTICS",
    "STEPS",
    "TIP_WIDTH",
    "VARIANTS",
    "Concept",
    "concept_within",
    "concepts_of",
    "idea_title",
    "length_concept",
    "line",
    "position_concept",
    "scale_concept",
    "step_concept",
    "tip",
    "value_concept",
    "what_is",
]
