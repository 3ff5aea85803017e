"""The options of ``submit`` itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.slurm.options import option_table
from sbatchlint.submission.own_options import OwnOptions, WrongUseError, part


def test_they_end_at_the_first_word_of_sbatch() -> None:
    own, words = part(["--force", "--lint-config", "a.toml", "-N2", "--lint-only", "job.sh", "--force"])
    assert own == OwnOptions(force=True, config="a.toml")
    assert words == ["-N2", "--lint-only", "job.sh", "--force"]


def test_two_dashes_are_sbatchs() -> None:
    assert part(["--lint-quiet", "--", "--force"]) == (OwnOptions(quiet=True), ["--", "--force"])


@given(st.lists(st.text(), max_size=4))
def test_what_follows_is_left_as_it_is(words: list[str]) -> None:
    assert part(["--lint-isolated", "-N1", *words])[1] == ["-N1", *words]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--lint-config"], "takes a file"),
        (["--lint-config="], "takes a file"),
        (["--force=yes"], "takes no value"),
        (["--lint-onyl"], "--lint-only is meant"),
        (["--lint-isolated", "--lint-config=x"], "exclude each other"),
    ],
)
def test_wrong_use(words: list[str], said: str) -> None:
    with pytest.raises(WrongUseError, match=said):
        part(words)


def test_sbatch_has_no_option_that_could_be_meant() -> None:
    table = option_table()
    for name in ("force", "lint-config", "lint-isolated", "lint-only", "lint-quiet", "lint-help"):
        match = table.find_long(name, "sbatch")
        assert match.spec is None
        assert not match.possibilities
