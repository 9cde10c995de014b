"""Small heatmaps, as those of the strip and of the heads: cells, numbers, colours."""
