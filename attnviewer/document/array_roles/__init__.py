"""What the arrays of a file are: embeddings, weights, biases, or Q, K and V."""
