"""The command line: the only layer that prints. One file per command group; `main` joins them."""
