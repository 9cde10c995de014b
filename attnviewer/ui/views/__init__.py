"""The views: each shows or edits the document in its own way."""
