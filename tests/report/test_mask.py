"""Secrets are hidden wherever their text turns up, and nothing moves in the lines shown."""

from __future__ import annotations

import random

from sbatchlint.report.mask import Mask
from sbatchlint.secrets.fake import fake_token
from sbatchlint.source import Source


def token() -> str:
    return fake_token("huggingface", random.Random(7))


def test_secrets_are_found_and_positions_kept() -> None:
    value = token()
    source = Source.from_text(f"export HF_TOKEN={value}\r\nsrun a {value}x\n", "job.sh")
    mask = Mask.found_in(source)
    assert mask.source.text == f"export HF_TOKEN={'*' * len(value)}\nsrun a {'*' * len(value)}x\n"
    assert mask.source.crlf_lines == {1}
    assert mask.text(f"it is {value}!") == "it is ********!"


def test_secrets_of_another_version_are_hidden_too() -> None:
    value = token()
    before = Source.from_text(f"export HF_TOKEN={value}\n")
    after = Source.from_text("export HF_TOKEN=${HF_TOKEN:?}\n")
    mask = Mask.found_in(after, before)
    assert mask.source.text == after.text
    assert mask.text(f"-{value}") == "-********"


def test_the_longest_secret_wins() -> None:
    mask = Mask(Source.from_text("abcdefgh abcdef"), ["abcdef", "abcdefgh"])
    assert mask.source.text == "******** ******"


def test_a_secret_of_several_lines_is_hidden_line_by_line() -> None:
    mask = Mask(Source.from_text("x"), ["first-line\n  second-line\nend"])
    assert mask.text("+first-line\n+  second-line\n+end") == "+********\n+  ********\n+end"


def test_a_short_secret_is_hidden_as_a_word_only() -> None:
    mask = Mask(Source.from_text("x"), ["12"])
    assert mask.text("u:12@host 512 12") == "u:********@host 512 ********"


def test_without_secrets_nothing_changes() -> None:
    source = Source.from_text("#!/bin/bash\n")
    assert Mask.found_in(source).source is source
    assert Mask(source).text("same") == "same"
