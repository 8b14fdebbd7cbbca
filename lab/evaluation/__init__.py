"""Measures retrieval and declining on sets of questions, by the very code that serves; `python -m lab.evaluation`."""
