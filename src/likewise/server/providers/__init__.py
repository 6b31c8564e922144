"""Who is asked where the Internet is searched, and the keys for it."""
