"""What an author writes: frozen data that checks itself and knows nothing of searching."""
