"""What an author writes: frozen, self-checking data that knows nothing of search."""
