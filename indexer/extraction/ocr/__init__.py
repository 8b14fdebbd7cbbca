"""Text in pictures, read by Tesseract."""
