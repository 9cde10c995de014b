"""Every normaliser, in plain words."""

from attnviewer.compute import Normalizer
from attnviewer.document.variants.variants import NORMALIZER_CHOICES
from attnviewer.ui.text.concepts.concept import Concept


def normalizer_concept(normalizer: Normalizer) -> Concept:
    """Return the explanation of a normaliser with its options."""
    return Concept(normalizer.sentence, normalizer.plain_rule or normalizer.symbols)


NORMALIZERS: dict[str, Concept] = {
    name: normalizer_concept(normalizer())
    for name, normalizer in NORMALIZER_CHOICES.items()
}
