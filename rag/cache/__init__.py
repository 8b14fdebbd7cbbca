"""What may be forgotten: short-lived values, in Redis or in an embedded Valkey."""
