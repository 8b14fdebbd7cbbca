"""The press: turns the demo company's texts into the files that stand on its drive."""
