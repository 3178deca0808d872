"""From rules, conditions and expressions to operations."""
