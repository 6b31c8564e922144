"""Certificates: one page about a check that departments file, and where it is seen to be genuine."""
