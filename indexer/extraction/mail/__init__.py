"""Messages with their attachments."""
