"""The numbers behind a number, as a tree that opens down to the inputs."""

from attnviewer.ui.views.explain.tree.view import DerivationTree

__all__ = ["DerivationTree"]
