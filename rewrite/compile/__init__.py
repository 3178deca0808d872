"""From a declaration to a form that the engines run."""
