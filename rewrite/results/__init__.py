"""What a search returns: paths, results and spaces; and replay, which checks by the definition."""
