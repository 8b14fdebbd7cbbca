"""What the commands show: tables in a terminal, plain lines in a pipe, progress."""
