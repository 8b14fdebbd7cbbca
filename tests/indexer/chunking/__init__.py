"""Tests of the chunkers."""
