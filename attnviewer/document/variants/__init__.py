"""Changes of the attention variant or of dimensions, with the matrices they need."""
