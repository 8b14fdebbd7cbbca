"""Where the product is measured and fitted: may import all of it, and is imported by none."""
