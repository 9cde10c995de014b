"""Another kind of attention, or other dimensions, with the matrices they need."""
