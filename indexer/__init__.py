"""The program that reads shared drives and fills the index."""
