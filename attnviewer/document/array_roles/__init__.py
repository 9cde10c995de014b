"""The role of each array of a file: embeddings, weights, biases, or Q, K and V."""
