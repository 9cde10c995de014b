"""Attention over the picture whose patches the tokens are."""
