"""The ways to show a step, by name, for all who ask for one."""

VIEWS = ("heatmap", "lines", "heads", "table", "difference")
