"""Evidence: how fast and how right, beside what else there is. Run one with `./dev bench NAME`."""
