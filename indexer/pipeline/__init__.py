"""The way from drives to the index."""
