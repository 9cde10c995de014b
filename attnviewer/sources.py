"""What is opened by a name, for all who ask for it."""

EXAMPLE_PREFIX = "example:"
FIRST_EXAMPLE = f"{EXAMPLE_PREFIX}four-words"
"""What is opened where nothing is named."""
