"""Texts with marks in them: HTML, Markdown, reStructuredText, books of HTML."""
