"""A step as it is, as it was, and what has changed."""
