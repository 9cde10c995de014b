"""The window itself: how it comes into sight, is filled, and closes."""
