"""The dialog that explains the program's terms."""

from collections.abc import Iterator
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTextBrowser,
    QWidget,
)

from attnviewer.compute.scoring import SCORES as SCORINGS
from attnviewer.document import VARIANT_TITLES
from attnviewer.document.variants.variants import NORMALIZER_CHOICES
from attnviewer.ui.text.concepts.choices import SCORES, VARIANTS
from attnviewer.ui.text.concepts.goal_seek import GOAL_SEEK
from attnviewer.ui.text.concepts.ideas import IDEAS, idea_title
from attnviewer.ui.text.concepts.normalizers import NORMALIZERS
from attnviewer.ui.text.concepts.statistics import STATISTICS
from attnviewer.ui.text.concepts.steps import STEPS
from attnviewer.ui.text.concepts.symbols import DIMENSIONS, SIGNS
from attnviewer.ui.widgets.dialog_column import dialog_column

WIDTH, HEIGHT = 46, 40
"""In line heights."""


class ConceptsDialog(QDialog):
    """Lists concepts with descriptions and formulas, the general ideas first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("concepts")
        self.setWindowTitle(self.tr("Concepts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._text = QTextBrowser(self)
        self._text.setObjectName("concepts.text")
        self._text.setAccessibleName(self.tr("Concepts"))
        self._text.setHtml("".join(self._html()))
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.reject)
        layout = dialog_column(self)
        layout.addWidget(self._text)
        layout.addWidget(close)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        room = self.screen().availableSize() - QSize(2 * line, 4 * line)
        return QSize(WIDTH * line, HEIGHT * line).boundedTo(room)

    def _html(self) -> Iterator[str]:
        for idea, (_, concept) in IDEAS.items():
            yield f"<h3>{escape(idea_title(idea))}</h3>{concept.html}"
        scores = {SCORINGS[name].title: concept for name, concept in SCORES.items()}
        variants = {VARIANT_TITLES[name]: concept for name, concept in VARIANTS.items()}
        normalizers = {
            NORMALIZER_CHOICES[name].title: concept
            for name, concept in NORMALIZERS.items()
        }
        groups = {
            self.tr("Steps and inputs"): STEPS,
            self.tr("Variants"): variants,
            self.tr("Scores"): scores,
            self.tr("Normalisers"): normalizers,
            self.tr("Statistics"): {
                k.replace("_", " "): c for k, c in STATISTICS.items()
            },
            self.tr("Goal Seek"): {
                k.replace("_", " "): c for k, c in GOAL_SEEK.items()
            },
            self.tr("Dimensions"): DIMENSIONS,
            self.tr("Signs"): SIGNS,
        }
        for title, concepts in groups.items():
            yield f"<h3>{escape(title)}</h3><table cellspacing='6'>"
            for name, concept in concepts.items():
                yield (
                    f"<tr><td><b>{escape(str(name))}</b></td><td>{escape(concept.text)}"
                    f"<br><code>{escape(concept.formula)}</code></td></tr>"
                )
            yield "</table>"
