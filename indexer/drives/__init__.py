"""Drives: folders, here and on servers, as lists of files."""
