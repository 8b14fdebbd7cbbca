"""From bytes to characters: encodings, and characters that are no text."""
