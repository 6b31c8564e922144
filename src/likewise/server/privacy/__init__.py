"""What is kept about a person, and what the site says and decides about it."""
