"""What extractors write: Markdown, block by block."""
