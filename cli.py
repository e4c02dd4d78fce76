"""The command line of relgraph from a checkout: the same as the installed `relgraph`."""

import sys
from importlib.util import find_spec


def refuse(missing: str) -> None:
    """Says what is missing and which command installs it, and ends with exit code 2."""
    sys.stderr.write(
        f"error: {missing} in {sys.executable}.\n"
        "hint: `make install` sets up .venv here; then `source .venv/bin/activate`.\n"
        "hint: or, in an environment of your own: pip install -e '.[local-llm]'\n"
    )
    sys.exit(2)


try:
    from relgraph._cli import main
except ModuleNotFoundError as error:
    ours = (error.name or "").startswith("relgraph")
    refuse("relgraph is not installed" if ours else f"the package {error.name!r} is not installed")

if find_spec("relgraph.baselines") is None:
    refuse("relgraph is not installed")

if __name__ == "__main__":
    main()
