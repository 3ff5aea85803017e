"""Made-up directive lines: a real sbatch finds something to refuse exactly where we do."""

from __future__ import annotations

import json
import random
import re

import pytest

from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source
from tests.conformance.live_slurm import Slurm

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

PIECES = (
    "-N1",
    "-n 1",
    "-J x",
    '-J "a b"',
    "-J 'a # b'",
    "-J it's",
    r"-J it\'s",
    r"-J a\ b",
    "-HJ y",
    "--hold",
    "--hold=1",
    "--job-name=",
    '--comment=""',
    '--comment ""',
    "--comment",
    "--job=x",
    "--node=1",
    "--label",
    "--mpi=none",
    "--bogus",
    "--exclusive user",
    "--exclusive=user",
    "-koff",
    "-Z",
    "stray",
    ":",
    "--",
    "# rest",
    "a#b",
    "\\",
    "hetjob",
    "\t--no-requeue\v",
    "--tasks=1",
    "\u2013nodes=2",
)
READING = re.compile(
    r"unrecognized option|invalid option --|is ambiguous|requires an argument|doesn't allow an argument"
    r"|Invalid directive found|Unmatched|Unexpected `:`"
)


def scripts(count: int) -> list[str]:
    chooser = random.Random(20260101)
    made = []
    for _ in range(count):
        lines = [" ".join(chooser.choices(PIECES, k=chooser.randint(1, 3))) for _ in range(2)]
        made.append("#!/bin/bash\n" + "".join(f"#SBATCH {line}\n" for line in lines) + "true\n")
    return made


def test_sbatch_refuses_what_we_refuse(slurm: Slurm) -> None:
    path = slurm.folder / "made-up.sh"
    refused = 0
    for text in scripts(250):
        path.write_text(text, "utf-8")
        done = slurm.run("sbatch", "--test-only", str(path))
        request = read_request(Source.from_text(text, str(path)), slurm.release)
        ours = bool(request.problems or request.directives.problems)
        theirs = READING.search(done.stderr) is not None
        assert ours == theirs, f"{text!r}: {done.stderr}"
        refused += theirs
    assert 50 < refused < 240


def test_option_names_of_this_release(slurm: Slurm) -> None:
    """Ask for the ambiguity of every prefix of every option; getopt lists the possibilities."""
    from sbatchlint.slurm.options import option_table, parse_release

    table = option_table()
    release = parse_release(slurm.release)
    own = [spec for spec in table if spec.plugin is None and spec.accepted("sbatch", release)]
    prefixes = sorted({spec.long[:length] for spec in own for length in (1, 3, 5)})
    wrong = {}
    for prefix in prefixes:
        said = slurm.run("sbatch", "--test-only", f"--{prefix}=\ue000", "/dev/null").stderr
        real = tuple(sorted(re.findall(r"'--([\w-]+)'", said.partition("possibilities:")[2])))
        match = table.find_long(prefix, "sbatch", release)
        ours = tuple(
            name for name in match.possibilities if not name.startswith(("container-", "no-container"))
        )
        if match.spec is None and set(real) - {"packjob"} != set(ours):
            wrong[prefix] = (real, ours)
    assert json.dumps(wrong) == "{}"
