"""The package for the other side: one zip with all that belongs to a case, and its check without unpacking by hand."""
