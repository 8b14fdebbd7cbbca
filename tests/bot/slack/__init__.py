"""Slack at the edges: what comes in, what goes out."""
