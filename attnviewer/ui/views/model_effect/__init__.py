"""The effect of changed weights or another sentence on the whole open model."""

from attnviewer.ui.views.model_effect.panel import EffectPanel

__all__ = ["EffectPanel"]
