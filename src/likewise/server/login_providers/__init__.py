"""Logging in by those who vouch for people: OpenID Connect providers of a site."""
