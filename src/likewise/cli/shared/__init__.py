"""What several verbs share: options, the library they work on, and output."""
