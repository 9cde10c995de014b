"""Random numbers, and the recipes to draw them again."""
