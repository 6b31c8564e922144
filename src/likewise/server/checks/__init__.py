"""Checks: one document against everything that its owner may read."""
