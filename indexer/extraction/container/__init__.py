"""Files that hold others: zip archives, XML, passwords, what is embedded."""
