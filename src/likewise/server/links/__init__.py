"""Reports shown by a link: to a colleague, to a commission, to whoever has the address."""
