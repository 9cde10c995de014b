"""Random numbers, and how they are remembered."""
