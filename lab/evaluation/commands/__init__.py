"""The commands of the evaluation, one a file."""
