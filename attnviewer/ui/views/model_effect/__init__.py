"""What changed weights, or another sentence, do to the open model as a whole."""

from attnviewer.ui.views.model_effect.panel import EffectPanel

__all__ = ["EffectPanel"]
