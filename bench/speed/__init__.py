"""How fast, beside the engines one would take instead."""
