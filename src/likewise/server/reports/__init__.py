"""Reports and certificates of checks and classes: rendered, and sent as files."""
