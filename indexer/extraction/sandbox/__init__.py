"""Files read in processes of their own, bounded in time and memory."""
