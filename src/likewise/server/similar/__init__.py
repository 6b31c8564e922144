"""Which documents are similar to a file, in one request."""
