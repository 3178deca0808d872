"""The command line: the only layer that prints. One file a group of commands; `main` joins them."""
