"""The step as its operation: what it is computed from, and how."""
