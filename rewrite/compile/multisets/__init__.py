"""States as multisets: groups of sorted terms, one for each type or constructor."""
