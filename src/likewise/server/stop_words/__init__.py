"""Stop words, and the rebuild that brings a change into use."""
