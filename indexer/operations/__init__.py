"""What is done with an index, besides filling it."""
