"""SB232, SB233 and SB235: what a job gets that does not ask for better."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.load import read_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, fixed, job

OUTPUT, TIME, MEMORY = "SB232", "SB233", "SB235"
GPUS = {"nodes": 1, "gpus_per_node": 4}
PROFILE = """
[settings]
default-memory-per-node-mib = 8192

[[partitions]]
name = "short"
nodes = "gpu[01-16]"
default = true
default-time = "00:30:00"
max-time = "2-00:00:00"
default-memory-per-cpu-mib = 1024

[[partitions]]
name = "tests"
nodes = "gpu[01-16]"
default-time = "00:10:00"
max-time = "00:10:00"

[[partitions]]
name = "long"
nodes = "gpu[01-16]"
default-time = "12:00:00"
default-memory-per-cpu-mib = 16384
"""


def with_profile(text: str, code: str) -> list[Finding]:
    profile = read_profile(Source.from_text(PROFILE, "cluster.toml"))
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=profile))
    assert not result.internal_errors
    return [found for found in result.findings if found.code == code]


@pytest.mark.parametrize(
    "options",
    [
        {**GPUS, "output": "a_%j.log"},
        {**GPUS, "output": "logs/%x.log"},
        {**GPUS, "output": "/dev/null"},
        {**GPUS, "output": "a.log", "open_mode": "append"},
        {**GPUS, "output": "a.log", "array": "0-3"},
        {**GPUS, "output": "$LOG"},
        {**GPUS, "output": "{{ log }}"},
        {"nodes": 1, "output": "a.log"},
        GPUS,
    ],
)
def test_a_name_of_its_own_is_left_in_peace(options: dict[str, object]) -> None:
    assert findings(job("srun python t.py", **options), OUTPUT) == []


@pytest.mark.parametrize(
    ("name", "after"), [("a.log", "a-%j.log"), ("logs/run", "logs/run-%j"), ("./a.b.out", "./a.b-%j.out")]
)
def test_the_id_is_put_into_the_name(name: str, after: str) -> None:
    text = job("srun python t.py", **GPUS, output=name)
    (found,) = findings(text, OUTPUT)
    assert found.severity.value == "info"
    assert fixed(text).converged.source.text == text
    assert f"--output={after}\n" in fixed(text, unsafe=True).converged.source.text


def test_a_name_that_the_script_uses_is_not_changed() -> None:
    (found,) = findings(job("srun python t.py", "grep loss a.log", **GPUS, output="a.log"), OUTPUT)
    assert found.fix is None


@pytest.mark.parametrize(
    "options", [{"time": "60"}, {"partition": "long"}, {"partition": "tests"}, {"partition": "x"}]
)
def test_a_limit_that_is_asked_for_or_long_is_left_in_peace(options: dict[str, object]) -> None:
    assert with_profile(job("srun python t.py", nodes=1, **options), TIME) == []


@pytest.mark.parametrize("options", [{}, {"partition": "short"}])
def test_a_short_default_is_told(options: dict[str, object]) -> None:
    (found,) = with_profile(job("srun python t.py", nodes=1, **options), TIME)
    assert "after 30 minutes" in found.message


@pytest.mark.parametrize(
    "options",
    [
        {**GPUS, "mem": "64G"},
        {**GPUS, "mem_per_gpu": "16G"},
        {**GPUS, "exclusive": True},
        {**GPUS, "cpus_per_gpu": 8},
        {**GPUS, "cpus_per_task": 16},
        {**GPUS, "ntasks": 4},
        {**GPUS, "partition": "long", "ntasks_per_node": 1},
        {"nodes": 1},
    ],
)
def test_enough_memory_is_left_in_peace(options: dict[str, object]) -> None:
    assert with_profile(job("srun python t.py", **options), MEMORY) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({**GPUS, "ntasks_per_node": 4}, "gets 4096 MiB"),
        ({**GPUS, "ntasks_per_node": 4, "cpus_per_task": 2}, "gets 8192 MiB"),
        ({**GPUS, "partition": "tests"}, "gets 8192 MiB"),
    ],
)
def test_little_memory_is_told(options: dict[str, object], said: str) -> None:
    (found,) = with_profile(job("srun python t.py", **options), MEMORY)
    assert said in found.message
