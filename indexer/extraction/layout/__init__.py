"""Printed pages, whether of a PDF or off a scanner: lines become rows, rows paragraphs, large type headings."""
