"""Where sbatch's options end, and what follows.  The examples were put to a Slurm 22.05.8."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.submission.command_line import read_command_line

_WORDS = st.lists(
    st.sampled_from(
        ["-N2", "-N", "2", "--nodes", "--nodes=2", ":", "--", "-HN", "--wrap=x", "job.sh", "a", ""]
    )
    | st.text(max_size=5),
    max_size=8,
)


@pytest.mark.parametrize(
    ("words", "script", "arguments"),
    [
        (["job.sh"], "job.sh", ()),
        (["-N4", "job.sh", "-N2", ""], "job.sh", ("-N2", "")),
        (["--nodes", "4", "job.sh"], "job.sh", ()),
        (["-HN", "4", "job.sh"], "job.sh", ()),
        (["--node", "4", "job.sh"], None, ()),
        (["--exclusive", "user", "job.sh"], "user", ("job.sh",)),
        (["-H", "--", "-N2"], "-N2", ()),
        (["-N1", ":", "-N2", "job.sh", "a"], "job.sh", ("a",)),
        (["-N1", ":", "--", "job.sh"], "job.sh", ()),
        (["job.sh", "a", ":", "b"], "job.sh", None),
        (["-"], "-", ()),
        ([""], "", ()),
        ([], None, ()),
    ],
)
def test_script_and_arguments(words: list[str], script: str | None, arguments: tuple[str, ...]) -> None:
    command = read_command_line(words, "22.05")
    if script is None and words:
        assert command.trouble
    else:
        assert (command.script, command.arguments, command.trouble) == (script, arguments, "")


@given(_WORDS)
def test_the_words_are_parted_and_none_is_lost(words: list[str]) -> None:
    command = read_command_line(words)
    if command.arguments is None:
        return
    given = [] if command.script is None else [command.script]
    assert [*command.options, *given, *command.arguments] == words


@pytest.mark.parametrize(
    ("words", "wrap"),
    [
        (["--wrap", "a b"], "a b"),
        (["--wra=x"], "x"),
        (["--wrap=x", "--wrap=y"], "y"),
        (["-N1", ":", "-N1", "--wrap", "x"], "x"),
        (["-N1", "--wrap", "x", ":", "-N1"], "x"),
        (["--wrap="], ""),
    ],
)
def test_wrap(words: list[str], wrap: str) -> None:
    command = read_command_line(words, "22.05")
    assert (command.wrap, command.script, command.trouble) == (wrap, None, "")


def test_wrap_takes_no_script() -> None:
    assert read_command_line(["--wrap=x", "job.sh"]).trouble


@pytest.mark.parametrize("word", ["-h", "--help", "--usage", "-HV", "--vers", "--gres=help"])
def test_options_that_only_tell(word: str) -> None:
    assert read_command_line(["-N1", word, "job.sh"]).tells


def test_options_of_the_script_tell_nothing() -> None:
    command = read_command_line(["job.sh", "--help", "--test-only"])
    assert not command.tells
    assert not command.test_only


@pytest.mark.parametrize("word", ["--force", "--bogus", "--mpi=x", "-Z", "--hold=yes", "--nodes"])
def test_what_sbatch_refuses_is_trouble(word: str) -> None:
    assert read_command_line([word], "24.05").trouble.startswith(word.partition("=")[0])


def test_an_option_of_a_later_release_is_trouble() -> None:
    assert read_command_line(["--segment=4", "job.sh"], "22.05").trouble
    assert not read_command_line(["--segment=4", "job.sh"], "24.05").trouble


@pytest.mark.parametrize(
    ("takes_value", "words", "script"),
    [
        (True, ["--site", "x", "job.sh"], "job.sh"),
        (True, ["--site=x", "job.sh"], "job.sh"),
        (True, ["-N2", "--site", "x", "-n4", ":", "--site", "y", "-N1", "job.sh"], "job.sh"),
        (False, ["--site", "job.sh", "x"], "job.sh"),
        (None, ["--site=x", "job.sh"], "job.sh"),
        (None, ["--site", "-N2", "job.sh"], "job.sh"),
    ],
)
def test_options_of_the_site(takes_value: bool | None, words: list[str], script: str) -> None:
    command = read_command_line(words, "22.05", {"site": takes_value})
    assert (command.script, command.trouble) == (script, "")


def test_the_word_behind_an_option_of_the_site_may_be_its_value() -> None:
    assert "--site=VALUE" in read_command_line(["--site", "x", "job.sh"], "22.05", {"site": None}).trouble
    assert read_command_line(["--site", "x", "job.sh"], "22.05").trouble.startswith("--site: unknown")


def test_the_last_folder_counts_in_whatever_component() -> None:
    command = read_command_line(["-D", "a", ":", "--chdir=b", "job.sh"])
    assert command.workplace("/here") == "/here/b"
    assert read_command_line(["job.sh"]).workplace("/here") == "/here"
    assert read_command_line(["-D/there", "job.sh"]).workplace("/here") == "/there"
