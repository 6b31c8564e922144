"""Collections: where documents stand, private or shared."""
