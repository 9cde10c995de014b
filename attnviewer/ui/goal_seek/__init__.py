"""Goal Seek: targets, what may change, and the proposal before it is applied."""
