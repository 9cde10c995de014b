"""The heads of all layers of a model as small maps, by which one is chosen."""

from attnviewer.ui.views.head_atlas.panel import HeadAtlas

__all__ = ["HeadAtlas"]
