"""Diagnosis of implementations of attention: the mistake that explains the numbers."""
