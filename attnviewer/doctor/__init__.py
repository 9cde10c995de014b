"""What is wrong with an implementation of attention, and which mistake explains it."""
