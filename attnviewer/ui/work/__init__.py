"""Long-running work: in threads, or in time slices of the event loop."""
