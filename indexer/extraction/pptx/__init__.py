"""PowerPoint presentations."""
