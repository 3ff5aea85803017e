"""docs/configuration.md: it names every key, and what it shows can be written."""

from __future__ import annotations

import re

import pytest
import tomli

from sbatchlint.config.models import ConfigFile, PerPath
from tests.packaging import PROJECT

GUIDE = (PROJECT / "docs" / "configuration.md").read_text("utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_are_right(block: str) -> None:
    assert ConfigFile.model_validate(tomli.loads(block)).model_fields_set


def test_every_key_has_its_line() -> None:
    rows = [line.split("|")[1] for line in GUIDE.splitlines() if line.startswith("| `")]
    named = {word.strip("[]") for row in rows for word in re.findall(r"`([^`]+)`", row)}
    keys = {str(field.alias) for field in ConfigFile.model_fields.values()}
    assert keys - {"per-path"} == named
    assert "`[per-path]` takes" in GUIDE


def test_what_per_path_takes() -> None:
    *_, said = GUIDE.partition("### What is assumed of the submission")
    table, _, rest = said.partition("`[per-path]` takes")
    keys = {word.strip("[]") for word in re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)}
    sentence = rest.partition("\n\n")[0]
    without, _, besides = sentence.partition(", and ")
    words = re.compile(r"`([a-z-]+)`")
    expected = keys - set(words.findall(without)) | set(words.findall(besides))
    assert expected == {field.alias for field in PerPath.model_fields.values()}
