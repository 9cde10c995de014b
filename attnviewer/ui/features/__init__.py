"""The features of a window: each adds its parts to the frame that all share."""
