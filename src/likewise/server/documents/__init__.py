"""Documents: handed in, listed, shown, corrected, removed."""
