"""How the corpora that Likewise is measured on are made."""
