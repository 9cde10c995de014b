"""Training runs as programs: asking where, and telling how it ended."""
