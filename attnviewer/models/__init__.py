"""Real models: checkpoints, read and run. No windows."""
