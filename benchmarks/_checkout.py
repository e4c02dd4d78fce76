"""Lets a benchmark run from a checkout that is not installed; does nothing where relgraph is."""

import sys
from importlib.util import find_spec
from pathlib import Path

if find_spec("relgraph") is None:
    root = str(Path(__file__).resolve().parent.parent)
    sys.path.insert(0, root)
    import relgraph

    # The approaches lie beside the library there, and an installation has them inside it.
    relgraph.__path__.append(root)
