"""`python -m rewrite` is the command `rewrite`."""

from rewrite.cli.main import main

if __name__ == "__main__":
    main()
