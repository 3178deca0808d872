"""What a search gives back: paths, results, spaces; and replay by the definition, the judge."""
