"""What format a file is in, and what is said of those that are not read."""
