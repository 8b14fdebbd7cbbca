"""Whether two questions ask the same: read into what decides an answer, and held against each other."""
