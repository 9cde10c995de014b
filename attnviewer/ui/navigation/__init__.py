"""Finding the way in a large matrix."""
