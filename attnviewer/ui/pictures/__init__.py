"""Figures of the current view, the view itself as a picture, and animated walks."""
