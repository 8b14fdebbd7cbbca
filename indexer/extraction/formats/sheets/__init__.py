"""Tables: workbooks, and texts with delimiters."""
