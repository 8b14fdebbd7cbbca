"""The indexer's command line."""
