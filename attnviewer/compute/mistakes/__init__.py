"""Mistakes that people make in attention, as changes of a computation's steps."""

from attnviewer.compute.mistakes.catalogue import CATALOGUE as CATALOGUE
from attnviewer.compute.mistakes.evaluation import Evaluation as Evaluation
from attnviewer.compute.mistakes.evaluation import UnfitError as UnfitError
from attnviewer.compute.mistakes.mistake import Mistake as Mistake
from attnviewer.compute.mistakes.mistake import Variation as Variation
from attnviewer.compute.mistakes.plan import Plan as Plan
from attnviewer.compute.mistakes.plan import Step as Step
