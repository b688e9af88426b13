"""``python -m service.cli``: the command line where its script is not on the PATH."""

from service.cli import main

if __name__ == "__main__":
    main(prog_name="spadille")
