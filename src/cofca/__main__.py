"""`python -m cofca` is the command line."""

from cofca.cli import main

if __name__ == "__main__":
    main()
