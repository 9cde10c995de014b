"""All heads of a step side by side."""
