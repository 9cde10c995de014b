"""Activations of a run: where they are, and what replaces them."""

from attnviewer.models.activations.site import KINDS, PER_HEAD, Kind, Site

__all__ = ["KINDS", "PER_HEAD", "Kind", "Site"]
