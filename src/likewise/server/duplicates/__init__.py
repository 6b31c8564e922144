"""Which documents of the library are near-duplicates of each other."""
