"""The indexer's commands, one a module. What does the work is imported when a command is called: starting is quick."""
