"""What operators need: image, manifest, examples, and the documents that are made from the settings."""
