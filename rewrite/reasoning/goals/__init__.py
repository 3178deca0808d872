"""Goals: what they say of single fields, as constraints on them, and all states that meet them."""
