"""Who may come in: passwords, tokens, keys, and what is written down about it."""
