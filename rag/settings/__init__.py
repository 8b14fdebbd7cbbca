"""What programs can be told from outside: read once, in a program's beginning, then handed down."""
