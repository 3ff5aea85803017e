"""What fuzzing found, as what holds for all of its kind."""

from __future__ import annotations

import subprocess
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sbatchlint.diagnose.accounting import AccountingError, read_accounting
from sbatchlint.diagnose.task_ends import expand_nodes, expand_numbers
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import Job
from sbatchlint.source import Source, Span
from tests.fuzz.limits import limited
from tests.fuzz.mutations import mutated
from tests.fuzz.seeds import seeds
from tests.fuzz.targets.linting import RULES, check

_TEXTS = st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "é", "\udcff"]), max_size=12).map("".join)


@given(_TEXTS, _TEXTS, st.integers(0, 12), st.integers(0, 3))
def test_an_edited_source_is_what_is_read_again(text: str, new: str, start: int, length: int) -> None:
    source = Source.from_text(text)
    span = Span(min(start, len(source.text)), min(start + length, len(source.text)))
    for after in (source.edited([(span, new)]), source.with_unix_line_ends()):
        assert Source.from_text(after.to_bytes().decode("utf-8", "surrogateescape")) == after


@given(st.lists(st.sampled_from(["/", "//", "a", ".", "..", "$X", "~"]), min_size=1, max_size=6).map("".join))
def test_any_folder_can_be_made(path: str) -> None:
    script = f"#!/bin/bash\nmkdir -p {path} && cd {path}\nsrun python train.py > {path}/log\n"
    with limited(10):
        assert Job(Source.from_text(script)).needs is not None


@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.parametrize("options", ["", "-tp 2", "--num_gpus 8", "-tp $TP"])
def test_a_recipe_of_which_nothing_is_told(nodes: int, options: str) -> None:
    head = f"#!/bin/bash\n#SBATCH --nodes={nodes} --ntasks-per-node=1 --gpus-per-node=8\n"
    program = f"scripts/training/run_recipe.py --recipe llama3_8b_pretrain_config {options}"
    check(f"{head}srun python {program}\n".encode())


@pytest.mark.parametrize("number", ["9" * 5000, "²", "٣", "-1", "0x1", "", "1e3"])
def test_numbers_that_sacct_never_prints(number: str) -> None:
    table = f"JobID|State|ExitCode|NodeList\n7|FAILED|{number}:{number}|n[{number}-{number}]\n"
    found = read_accounting(table)
    assert (found.job.code, found.job.signal) == (0, 0)
    assert isinstance(expand_nodes(f"n[{number}]"), tuple)
    assert isinstance(expand_numbers(f"{number}-2"), tuple)
    with pytest.raises(AccountingError):
        read_accounting("{" + '"a":[' * 5000)


@settings(max_examples=3, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_steps_with_any_option(seed: int) -> None:
    """Each option of srun and sbatch with values that its grammar calls good."""
    from sbatchlint.slurm.grammar.registry import grammar_of
    from tests.fuzz.targets.slurm import OPTIONS

    chance = Random(seed)
    chosen = [(spec, grammar_of(spec)) for spec in chance.sample(OPTIONS, 40)]
    words = [f"--{spec.long}='{chance.choice(grammar.good)}'" for spec, grammar in chosen if grammar]
    lines = [f"#SBATCH {word}" for word in words] + [f"srun {word} python train.py" for word in words]
    check("\n".join(["#!/bin/bash", *lines, ""]).encode())


@pytest.mark.slow
def test_what_bash_reads_it_still_reads_when_it_is_fixed() -> None:
    """A sample of spoilt scripts: the engine asks bash itself, and here it is asked once more."""
    chance, guards, changed = Random(9), Guards(), 0
    for _ in range(150):
        data = mutated(chance.choice(seeds("fix")), chance)
        source = Source.from_bytes(data, "job.sh")
        fixed = fix_source(source, RULES, unsafe=True, guards=guards).converged
        if fixed.changed and _is_read(source):
            changed += 1
            assert _is_read(fixed.source), fixed.source.text
    assert changed > 15


def _is_read(source: Source) -> bool:
    return subprocess.run(["bash", "-n"], input=source.to_bytes(), capture_output=True).returncode == 0
