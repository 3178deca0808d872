"""Files of others, read as puzzles."""
