"""The comparison of a step with a reference: A, B and their difference."""
