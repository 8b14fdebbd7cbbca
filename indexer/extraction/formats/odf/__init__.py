"""OpenDocument texts, presentations and spreadsheets."""
