"""Attacks on a server and on the readers, and faults of the machine under them."""
