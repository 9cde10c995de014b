"""What is typed or pasted, and what it says."""
