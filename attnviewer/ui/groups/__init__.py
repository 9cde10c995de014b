"""Groups of tokens: found, named by hand, folded and opened."""
