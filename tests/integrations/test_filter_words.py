"""Words on their way from sbatch's command line to sbatchlint, through a shell: none may change or be run."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.integrations.conftest import Linter, Starter
from tests.integrations.lua_filter import LUAS, LuaFilter

BYTES = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=12)
AWKWARD = st.lists(st.sampled_from(["'", '"', "\\", "\n", "$(x)", "`x`", "!", "\xff", "\x81", " ", "-", "é"]))
WORDS = st.lists(BYTES | AWKWARD.map("".join), min_size=1, max_size=6)


@pytest.fixture(params=LUAS)
def door(request: pytest.FixtureRequest, tmp_path: Path) -> LuaFilter:
    return LuaFilter(tmp_path, lua=request.param)


def test_the_shell_reads_back_what_was_quoted(door: LuaFilter) -> None:
    quote = door.function("quoted_all")

    @given(WORDS)
    @settings(max_examples=40)
    @example(["'", "''", "\n", "", "-n", "\\'", "a'b\"c$d`e"])
    def check(words: list[str]) -> None:
        program = "printf '%s\\0' " + quote(door.table(tuple(words)))
        done = subprocess.run(["sh", "-c", program.encode("latin-1")], capture_output=True, check=True)
        assert done.stdout == "".join(f"{word}\0" for word in words).encode("latin-1")

    check()


def test_words_are_parted_at_nul(door: LuaFilter) -> None:
    split = door.function("split_at_nul")

    @given(WORDS)
    def check(words: list[str]) -> None:
        assert list(split("".join(f"{word}\0" for word in words)).values()) == words

    check()


@given(words=WORDS)
@settings(max_examples=25)
def test_sbatchlint_gets_the_words_of_sbatch(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        linter = Linter(folder)
        door = LuaFilter(folder, f'return {{ sbatchlint = "{linter.path}" }}', words=tuple(words))
        door.submit()
        noted = (folder / "calls").read_bytes().removesuffix(b"\n")
    own = b"submit\0--lint-only\0"
    assert noted == own + "".join(f"{word}\0" for word in words).encode("latin-1")


def test_own_words_come_first(start: Starter, linter: Linter) -> None:
    settings_text = f'sbatchlint = {{ "/bin/sh", "{linter.path}", "it\'s" }}, config = "/etc/a b.toml"'
    start(settings_text, words=("--time=5", "job.sh")).submit()
    assert linter.calls == [
        [b"it's", b"submit", b"--lint-only", b"--lint-config", b"/etc/a b.toml", b"--time=5", b"job.sh"]
    ]


CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@given(st.lists(BYTES | st.sampled_from(["\x1b[1;31m", "\x1b]0;title\x07", "\x1b[2J", "\xc2\x9b", "\r"])))
def test_nothing_but_colours_controls_the_terminal(parts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        shown = LuaFilter(Path(name)).function("harmless")("".join(parts))
    assert not CONTROLS.search(COLOUR.sub("", shown))
    plain = CONTROLS.sub("", "".join(parts))
    if plain == "".join(parts):
        assert shown == plain


def test_escapes_of_the_linter_do_not_reach_the_terminal(
    start: Starter, linter: Linter, capfd: pytest.CaptureFixture[str]
) -> None:
    linter.does(r"printf '\033[31merror[SB1]\033[0m \033]0;owned\007 \033[2J\r.\n' >&2; exit 1")
    assert start('mode = "enforce"').submit() == -1
    assert capfd.readouterr().err == "\x1b[31merror[SB1]\x1b[0m ?]0;owned? ?[2J?.\x1b[0m\n"
