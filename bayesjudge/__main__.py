"""The command line as ``python -m bayesjudge``."""

from bayesjudge.cli import main

if __name__ == "__main__":
    main()
