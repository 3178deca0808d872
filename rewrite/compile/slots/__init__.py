"""States as slots and bits of one number: invariants, ground rules, domains, and where all is."""
