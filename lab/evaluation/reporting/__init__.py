"""The page of results: made from files that are kept beside it, so that figures and page cannot drift apart."""
