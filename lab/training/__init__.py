"""The scripts that fitted what ships: run by hand, on public data that no benchmark reports."""
