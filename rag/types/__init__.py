"""The nouns of the engine, a module a subject: frozen, free of I/O, importing nothing of ours but each other."""
