"""Documents that another program turns into HTML."""
