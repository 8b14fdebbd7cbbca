"""Whether each sentence of an answer is borne out by the passages that it cites: by rules, the same every time."""
