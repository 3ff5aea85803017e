"""What the README shows is what a reader gets."""

from __future__ import annotations

import re
import subprocess
import sys

from sbatchlint.lint.registry import Registry
from sbatchlint.report.rule_page import rule_list
from tests.packaging import PROJECT

README = (PROJECT / "README.md").read_text("utf-8")


def test_the_examples_are_reported_word_for_word() -> None:
    shown = re.search(r"^```console\n\$ sbatchlint examples/\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert shown is not None
    done = subprocess.run(
        [sys.executable, "-m", "sbatchlint", "--color=never", "examples/"],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert shown.group(1) == done.stdout


def test_the_list_of_rules_is_that_of_the_program() -> None:
    """`sbatchlint rule --list > docs/rules.md`, with the two lines above it, writes the page anew."""
    page = (PROJECT / "docs" / "rules.md").read_text("utf-8")
    head, gap, listed = page.partition("\n\n")
    assert head == "# The rules"
    assert gap + listed == "\n\n" + rule_list(Registry.load().rules)


def test_one_example_is_in_order_and_the_others_are_not() -> None:
    scripts = sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_file())
    reported = {name for name in scripts if f"examples/{name}:" in README}
    assert set(scripts) - reported == {"bridge_recipe_good.sbatch"}
