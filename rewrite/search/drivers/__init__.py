"""What runs a search: strategies in Python, or the core; see `interface`."""
