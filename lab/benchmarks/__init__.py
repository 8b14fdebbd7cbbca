"""What the product does in figures. Each module is one benchmark: `python -m lab.benchmarks.NAME --help`."""
