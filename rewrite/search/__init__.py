"""Strategies, limits and the one loop that runs them."""
