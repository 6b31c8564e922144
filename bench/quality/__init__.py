"""How right: planted copies that must be found, and revisions that people made."""
