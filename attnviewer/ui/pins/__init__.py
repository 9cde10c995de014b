"""Pinning numbers of computed steps."""
