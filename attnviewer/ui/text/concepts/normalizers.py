"""Every normaliser, in plain words."""

from attnviewer.document.variants.variants import NORMALIZER_CHOICES
from attnviewer.ui.text.concepts.concept import Concept

NORMALIZERS: dict[str, Concept] = {
    name: Concept(normalizer.sentence, normalizer.plain_rule or normalizer().symbols)
    for name, normalizer in NORMALIZER_CHOICES.items()
}
