"""Small heatmaps, as in the strip and on the heads page: cells, numbers, colours."""
