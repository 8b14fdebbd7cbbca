"""The demo: an invented company, its drive, and a tour of the product."""
