"""The features of a window: each puts its parts into the frame that all share."""
