"""Tests of the demo company's drive and of the questions asked about it."""
