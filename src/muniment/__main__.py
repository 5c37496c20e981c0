"""`python -m muniment` is the command line."""

from muniment.surfaces.cli.main import entry

if __name__ == "__main__":
    entry()
