"""The learned ranker: what tells that a passage answers, weighed by what was learned from public questions."""
