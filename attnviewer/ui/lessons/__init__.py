"""Choosing lessons, and recording tasks for them."""
