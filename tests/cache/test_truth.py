"""With the cache, every run gives exactly what it gives without."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cache.process import Outcome, run

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n"
SCRIPTS = (
    HEAD + "srun python train.py\n",
    HEAD + "source ./env.sh\nsrun torchrun --nproc-per-node=8 --nnodes=$NODES train.py\n",
    HEAD + "source lib/more.sh\nsrun python train.py --tensor-model-parallel-size $TP\n",
    "#!/bin/bash\n#SBATCH --nodes 2\n#SBATCH --ntask=8\nsrun hostname\n",
    "#!/bin/bash\n#SBATCH --time=90:00\n#SBATCH --nodes=2 \nsrun torchrun train.py\n#SBATCH --mem=4G\n",
    HEAD + "export HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567\nsrun torchrun train.py\n",
    HEAD + "# sbatchlint: ignore[SB301] it is meant\nsrun torchrun --nnodes=2 train.py\n",
    "#!/bin/bash\r\n#SBATCH --nodes=2\r\nsrun hostname\r\n",
    "echo no batch script\n",
    "",
)
SOURCED = ("NODES=2\nTP=3\n", "NODES=4\n", "export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\n")
POLICY = """
[[policy]]
name = "few-nodes"
severity = "error"
require = 'job.nodes < 2'
message = "too many nodes"
"""
EXCEPTION = """
[[exception]]
policy = "few-nodes"
paths = ["a.sh"]
reason = "agreed"
owner = "ops"
expires = 2999-01-01
"""
CONFIGURATIONS = (
    "pedantic = true\n",
    'ignore = ["SB301"]\nfail-on = "error"\n',
    'exclude = ["b.sh"]\n',
    'extend = "more.toml"\n',
    'baseline = "known.json"\n',
    'output-format = "concise"\nunsafe-fixes = true\n',
    "follow = false\n",
    "pedantic = maybe\n",
    'plugins = ["./own"]\n',
    POLICY,
    POLICY + EXCEPTION,
)
PLUGIN = '''
from collections.abc import Iterator
from sbatchlint.api import Finding, Job, Rule, Severity, Span

class Own(Rule):
    """Finds something.

    ## Why
    To see it.
    """
    code = "OWN001"
    name = "own-rule"
    severity = Severity.WARNING

    def check(self, job: Job) -> Iterator[Finding]:
        yield self.finding(Span(0, 2), "{message}")
'''
KNOWN = "known.json"
NAMES = ("a.sh", "b.sh", "sub/c.sh", "sub/d.sbatch")
COMMANDS = (
    ["."],
    ["--pedantic", "."],
    ["--output-format", "json", "."],
    ["--output-format", "sarif", "."],
    ["--statistics", "."],
    ["--color", "always", "a.sh", "sub"],
    ["--fix", "."],
    ["--fix", "--unsafe-fixes", "."],
    ["--diff", "."],
    ["--verbose", "--no-follow", "."],
    ["--quiet", "--allow-plugins", "."],
    ["--baseline", "known.json", "."],
    ["--write-baseline", "known.json", "."],
    ["--output-format", "json", "--output-file", "report.json", "."],
    ["--slurm-version", "23.02", "--sbatch-args=--nodes=3", "."],
    ["--check-paths", "."],
    ["--exit-zero", "sub/c.sh", "none.sh"],
)

Change = Callable[[Path], None]


def writes(name: str, text: str) -> Change:
    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(text.encode())

    return change


def deletes(name: str) -> Change:
    return lambda folder: (folder / name).unlink(missing_ok=True)


def links(name: str, target: str) -> Change:
    def change(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    return change


def nothing(folder: Path) -> None:
    pass


CHANGES = st.one_of(
    st.just(nothing),
    st.builds(writes, st.sampled_from(NAMES), st.sampled_from(SCRIPTS)),
    st.builds(writes, st.sampled_from(NAMES), st.sampled_from(SCRIPTS)),
    st.builds(
        writes, st.sampled_from(("env.sh", "sub/env.sh", "lib/more.sh", "sub/x")), st.sampled_from(SOURCED)
    ),
    st.builds(
        writes,
        st.sampled_from(("sbatchlint.toml", "sub/sbatchlint.toml", "more.toml")),
        st.sampled_from(CONFIGURATIONS),
    ),
    st.builds(writes, st.just("own/rule.py"), st.sampled_from([PLUGIN.format(message=m) for m in "ab"])),
    st.builds(
        writes, st.sampled_from((".gitignore", "sub/.gitignore")), st.sampled_from(("b.sh\n", "*.sbatch\n"))
    ),
    st.builds(
        deletes,
        st.sampled_from(
            (*NAMES, "env.sh", "sbatchlint.toml", "sub/sbatchlint.toml", "more.toml", "known.json")
        ),
    ),
    st.builds(links, st.sampled_from(NAMES), st.sampled_from(("a.sh", "../a.sh", "nowhere", "c.sh"))),
)
STEPS = st.tuples(
    st.lists(CHANGES, min_size=3, max_size=6), st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=2)
).map(lambda drawn: [(change, words) for change in drawn[0] for words in drawn[1]])
"""Few commands, so that each comes again after a change or two."""


def files_of(folder: Path) -> dict[str, bytes | str]:
    """Everything in *folder*, a link as the place that it leads to."""
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or (path.is_file() and "__pycache__" not in path.parts)
    }


def restore(folder: Path, files: dict[str, bytes | str]) -> None:
    for name in files_of(folder):
        (folder / name).unlink()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(content) if isinstance(content, str) else path.write_bytes(content)


def hold_against(steps: list[tuple[Change, list[str]]], base: Path) -> None:
    """Make each change, run each command twice with the cache and once without, and compare all they do."""
    folder, cache, streams = base / "work", base / "cache", base / "streams"
    shutil.rmtree(base, ignore_errors=True)
    for each in (folder, streams):
        each.mkdir(parents=True)
    for name, text in zip(NAMES, SCRIPTS, strict=False):
        writes(name, text)(folder)
    for change, words in steps:
        change(folder)
        before = files_of(folder)
        outcomes: list[tuple[Outcome, dict[str, bytes | str]]] = []
        for used in (None, cache, cache):
            restore(folder, before)
            outcomes.append((run(words, folder, used, streams), files_of(folder)))
        assert outcomes[1] == outcomes[0]
        assert outcomes[2] == outcomes[0]


@settings(max_examples=4)
@given(STEPS)
def test_any_changes(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Change, list[str]]]) -> None:
    hold_against(steps, tmp_path_factory.getbasetemp() / "truth")


@pytest.mark.slow
@settings(max_examples=100)
@given(STEPS)
def test_very_many_changes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Change, list[str]]]
) -> None:
    hold_against(steps, tmp_path_factory.getbasetemp() / "truth")


OFTEN = (["--fix", "."],)


@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=[] if words in OFTEN else [pytest.mark.slow]) for words in COMMANDS],
    ids=" ".join,
)
def test_each_command_after_each_kind_of_change(words: list[str], tmp_path: Path) -> None:
    changes = [
        nothing,
        writes("a.sh", SCRIPTS[1]),
        writes("env.sh", SOURCED[0]),
        writes("env.sh", SOURCED[1]),
        writes("sbatchlint.toml", CONFIGURATIONS[0]),
        writes("sbatchlint.toml", CONFIGURATIONS[3]),
        writes("more.toml", CONFIGURATIONS[1]),
        deletes("more.toml"),
        writes("sbatchlint.toml", CONFIGURATIONS[4]),
        writes("sbatchlint.toml", POLICY),
        writes("sbatchlint.toml", POLICY + EXCEPTION),
        deletes("sbatchlint.toml"),
    ]
    first = [(nothing, ["--write-baseline", KNOWN, "."])] if "--baseline" in words else []
    hold_against([*first, *((change, words) for change in changes)], tmp_path / "truth")
