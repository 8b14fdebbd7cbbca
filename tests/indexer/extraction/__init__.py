"""Tests of the extractors."""
