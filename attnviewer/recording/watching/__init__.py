"""Attention seen while a module of PyTorch runs, without changing what it computes."""
