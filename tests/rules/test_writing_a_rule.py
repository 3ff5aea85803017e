"""What docs/writing-a-rule.md tells a new contributor to write works, to the letter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.packaging import PROJECT

PAGE = (PROJECT / "docs" / "writing-a-rule.md").read_text("utf-8")
RULE, TESTS = "rules/environment/checkpoint_on_node.py", "tests/rules/test_checkpoint_on_node.py"
CODE = "SB690"
CASES, OF_ITS_PAGE = 9, 2
WANTED = f"{CODE} or checkpoint_on_node"
DOCS = PROJECT / "tests" / "rules" / "test_docs.py"


def _block(fence: str, path: str) -> str:
    """The first Python block behind the place where the page names the file *path*."""
    found = re.search(
        rf"`{re.escape(path)}`.*?^{fence}python\n(.*?)^{fence}$", PAGE, re.MULTILINE | re.DOTALL
    )
    assert found is not None, path
    return found[1]


def test_the_rule_of_the_page_passes_its_tests(tmp_path: Path) -> None:
    copy = tmp_path / "sbatchlint_rules"
    shutil.copytree(PROJECT / "rules", copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "environment" / "checkpoint_on_node.py").write_text(_block("````", RULE), "utf-8")
    own = tmp_path / "test_checkpoint_on_node.py"
    own.write_text(_block("```", TESTS), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", WANTED, str(own), str(DOCS)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    assert f"{CASES + OF_ITS_PAGE} passed" in done.stdout, done.stdout


def test_the_code_of_the_page_is_no_rule_of_the_project() -> None:
    rules = (PROJECT / "rules").rglob("*.py")
    assert not any(f'code = "{CODE}"' in path.read_text("utf-8") for path in rules)
