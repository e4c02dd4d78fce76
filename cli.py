"""The command line of relgraph from a checkout: the same as the installed `relgraph`."""

import sys

try:
    from relgraph._cli import main
except ModuleNotFoundError as error:
    if (error.name or "").startswith("relgraph"):
        missing = "relgraph is not installed"
    else:
        missing = f"the package {error.name!r} is not installed"
    sys.stderr.write(
        f"error: {missing} in {sys.executable}.\n"
        "hint: `make install` sets up .venv here; then `source .venv/bin/activate`.\n"
        "hint: or, in an environment of your own: pip install -e .\n"
    )
    sys.exit(2)

if __name__ == "__main__":
    main()
