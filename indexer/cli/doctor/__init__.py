"""Whether all that the indexer needs is there and works: every finding comes from having tried it."""
