"""Makes the rules importable where the project is not installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "rules"

if importlib.util.find_spec("sbatchlint_rules") is None:
    spec = importlib.util.spec_from_file_location(
        "sbatchlint_rules", FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sbatchlint_rules"] = module
    spec.loader.exec_module(module)
