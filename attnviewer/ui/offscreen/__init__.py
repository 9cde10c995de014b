"""Pictures of what the window shows, drawn without a screen for the command line."""
