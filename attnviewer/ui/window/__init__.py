"""The window itself: how it is shown, filled and closed."""
