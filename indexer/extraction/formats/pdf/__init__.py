"""PDF: the text layer as a person reads it, and OCR where that is none."""
