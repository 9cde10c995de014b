"""The views: each shows the document in a way of its own, or edits it."""
