"""Whatever the words are: the program gets them as they are, and each rank is there once."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.convert.conversion import convert
from sbatchlint.convert.quoting import quoted
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import findings, made, with_nodes
from tests.convert.simulated import Cluster, is_bash

HARD = [
    "",
    " ",
    "-",
    "--",
    "-x",
    "--lr",
    "--a=b c",
    "$HOME",
    "${X}",
    "$(date)",
    "`date`",
    "it's",
    'say "hi"',
    "'",
    '"',
    "\\",
    "a\\nb",
    "\n",
    "a\nb",
    "a\tb",
    "\r",
    "*",
    "*.py",
    "?",
    "[0]=x",
    "a[0]=1",
    "{a,b}",
    "~",
    "~/x",
    "!",
    "!!",
    "a!b",
    "&",
    "a&&b",
    "|",
    ";",
    "#",
    "a#b",
    "(",
    ")",
    "<",
    ">",
    "<(x)",
    "model.list=[1, 2,3]",
    "+a.b={c:[d,'e']}",
    "~old.key",
    "a=b",
    "PATH=x",
    "%",
    "%x_%j",
    "ü",
    "日本語",
    "😀",
    "e\u0301",
    "\u00a0",
    "\u200b",
    "\u202e",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\udcff",
    "\udcc3(",
    "@",
    "$@",
    "$1",
    "$$",
    "$?",
    "\\\n",
    "'\\''",
    "'\"'\"'",
    "${X:-y}",
    "$'a'",
    '$"a"',
    "=",
    ":",
    "-c",
]
TEXT = st.text(
    st.sampled_from("ab1 -=$'\"\\`!*?[]{}()<>|&;#~%@^,.:/+\n\tüß日😀\u00a0\udcfe"), min_size=0, max_size=8
)
WORDS = st.lists(st.one_of(st.sampled_from(HARD), TEXT), max_size=6)
STARTS = {
    "torchrun": "torchrun --nproc_per_node=2",
    "standalone": "torchrun --standalone --nproc-per-node 2 --max_restarts=1",
    "uv": "uv run --extra cu12 python -u -m torch.distributed.run --nproc_per_node=2",
    "wrapped": "numactl -N 0 env A=1 torchrun --nproc_per_node=2",
    "accelerate": "accelerate launch --num_processes=2 --mixed_precision=bf16",
    "deepspeed": "deepspeed --num_gpus=2",
    "native": "uv run python",
    "plain": "python -u",
}
STYLES = {
    "single": lambda word: "'" + word.replace("'", "'\\''") + "'",
    "double": lambda word: '"' + "".join("\\" + c if c in '$`"\\' else c for c in word) + '"',
    "shlex": shlex.quote,
    "backslashes": lambda word: "".join("'\n'" if c == "\n" else "\\" + c for c in word) or "''",
    "ours": quoted,
}
STYLED = st.tuples(st.one_of(st.sampled_from(HARD), TEXT), st.sampled_from(sorted(STYLES)))


def script(start: str, words: str) -> bytes:
    mode = "native" if start in ("native", "plain") else "auto"
    source = Source.from_text(f"{STARTS[start]} {words}", "the command")
    text = script_text(convert(source, with_nodes(2, 2), mode=mode, folder="/nonexistent"))
    return text.encode("utf-8", "surrogateescape")


def run(cluster: Cluster, made: bytes, words: Sequence[str]) -> None:
    assert is_bash(made)
    done = cluster.run(made)
    assert (done.status, done.errors) == (0, "")
    assert [call.rank for call in done.ranks] == [0, 1, 2, 3]
    assert {call.world for call in done.ranks} == {4}
    got = {call.words[call.words[:1] == ("-u",) :] for call in done.ranks}
    assert got == {tuple(words)}


@settings(max_examples=30)
@given(st.sampled_from(sorted(STARTS)), WORDS)
def test_words_of_a_command_line_arrive(cluster: Cluster, start: str, words: list[str]) -> None:
    every = ["train.py", *words]
    run(cluster, script(start, " ".join(map(quoted, every))), every)


@settings(max_examples=30)
@given(st.sampled_from(sorted(STARTS)), st.lists(STYLED, max_size=6))
def test_words_of_a_file_arrive(cluster: Cluster, start: str, styled: list[tuple[str, str]]) -> None:
    text = " ".join(["train.py", *(STYLES[style](word) for word, style in styled)])
    run(cluster, script(start, text), ["train.py", *(word for word, _ in styled)])


def test_all_hard_words_arrive(cluster: Cluster) -> None:
    every = ["train.py", *HARD]
    run(cluster, script("torchrun", " ".join(map(quoted, every))), every)


@settings(max_examples=200)
@given(st.lists(st.one_of(st.sampled_from(HARD), TEXT), max_size=3))
def test_what_is_quoted_is_one_line_and_holds_nothing_invisible(words: list[str]) -> None:
    for word in words:
        assert quoted(word).isprintable()
        assert os.fsencode(quoted(word)).decode("utf-8")


@settings(max_examples=25)
@given(st.sampled_from(sorted(STARTS)), WORDS)
def test_the_script_is_clean(start: str, words: list[str]) -> None:
    text = script(start, " ".join(map(quoted, ["train.py", *words]))).decode()
    assert findings(text) == []


@pytest.mark.parametrize("word", ["$HOME/x", "a $HOME", "${HOME}"])
def test_variables_are_expanded_as_the_shell_would(cluster: Cluster, word: str) -> None:
    done = cluster.run(made(f'torchrun --nproc_per_node=2 t.py "{word}"', with_nodes(2)).encode())
    home = done.ranks[0].environment["HOME"]
    assert {call.words for call in done.ranks} == {
        ("t.py", word.replace("${HOME}", home).replace("$HOME", home))
    }
