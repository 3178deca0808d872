"""Goals: constraints on single fields, and all states that meet them."""
