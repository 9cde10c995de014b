"""Pictures of the window, rendered without a screen for the command line."""
