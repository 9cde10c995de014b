"""Real models: their checkpoints. No windows."""
