"""The file formats, a module or package each."""
