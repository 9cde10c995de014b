"""Real transformer checkpoints: their weights and their forward pass. No Qt."""
