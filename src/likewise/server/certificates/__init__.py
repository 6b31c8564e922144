"""Certificates: one page about a check for departments to file, and whether it is genuine."""
