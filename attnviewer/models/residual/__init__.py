"""The residual stream as a sum of what each part of a model writes."""

from attnviewer.models.residual.attribution import attribution
from attnviewer.models.residual.component import Component
from attnviewer.models.residual.components import Components
from attnviewer.models.residual.contributions import Contribution, Contributions
from attnviewer.models.residual.decomposition import components
from attnviewer.models.residual.embedding_shares import embedding_shares
from attnviewer.models.residual.logit_lens import LogitLens, logit_lens
from attnviewer.models.residual.score_parts import Pair, ScoreParts, score_parts
from attnviewer.models.residual.written import written

__all__ = [
    "Component",
    "Components",
    "Contribution",
    "Contributions",
    "LogitLens",
    "Pair",
    "ScoreParts",
    "attribution",
    "components",
    "embedding_shares",
    "logit_lens",
    "score_parts",
    "written",
]
