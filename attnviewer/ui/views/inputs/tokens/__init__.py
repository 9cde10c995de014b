"""The tokens: their column, their commands, finding them, and sentences."""
