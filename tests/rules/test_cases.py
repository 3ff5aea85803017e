"""Scripts after public bug reports, and correct scripts that look wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sbatchlint.cluster.load import read_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Severity
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules

CASES = Path(__file__).parent / "cases"
BAD = json.loads((CASES / "bad" / "expected.json").read_text())
CLEAN = json.loads((CASES / "clean" / "why.json").read_text())
MERGED = {"037-srun-only-options": ["srun --mpi=pmix --cpu-bind=cores python train.py"]}
"""Cases whose corrected lines the report describes in words."""
JUDGED_OTHERWISE = {
    "021-indented-sbatch": "line 8, `# SBATCH`, may be switched off on purpose: an info, fixed on request",
    "029-hash-cuts-image-name": "we quote with double quotes, as elsewhere: sbatch reads the same",
    "042-log-directory-created-too-late": "the folder may be there already, so this is a warning",
    "061-container-in-directive-with-srun": "the image may bring an srun, so this is a warning",
    "078-gres-and-gpus-per-task": "Slurm 22.05 and later refuse it (asked), so this is an error",
    "082-cuda-visible-devices": "srun sets it anew for the tasks (asked): of no effect, so an info",
    "089-old-nccl-names": "PyTorch before 2.2 knows the old names alone, so they are renamed on request",
}
"""Cases in which expected.json differs from what the report's reader thought, and why."""


def _options(name: str) -> LintOptions:
    profile = BAD[name].get("cluster")
    cluster = read_profile(Source.from_text(profile, "cluster.toml")) if profile else None
    return LintOptions(release=BAD[name].get("release"), cluster=cluster)


def _read(folder: str, name: str) -> Source:
    path = CASES / folder / f"{name}.sh"
    return Source.from_bytes(path.read_bytes(), path.name)


@pytest.mark.parametrize("name", BAD)
def test_a_reported_mistake_is_caught_on_its_line(name: str) -> None:
    source = _read("bad", name)
    result = lint_source(source, all_rules(), _options(name))
    shown = {
        source.position(span.start).line
        for found in result.findings
        if found.severity.value == BAD[name]["severity"]
        for span in (found.span, *(related.span for related in found.related))
    }
    assert set(BAD[name]["lines"]) <= shown


@pytest.mark.parametrize("name", [name for name, case in BAD.items() if case["corrected"] or name in MERGED])
def test_it_is_corrected_as_the_report_says(name: str) -> None:
    fixed = fix_source(_read("bad", name), all_rules(), _options(name)).converged.source
    for correction in BAD[name]["corrected"] or ():
        assert fixed.line(correction["line"]) == correction["text"]
    for line in MERGED.get(name, ()):
        assert line in fixed.text.splitlines()


def test_each_judgement_is_of_a_case() -> None:
    assert set(JUDGED_OTHERWISE) <= set(BAD)


@pytest.mark.parametrize("name", CLEAN)
def test_a_correct_script_is_left_in_peace(name: str) -> None:
    result = lint_source(_read("clean", name), all_rules())
    alarms = [found for found in result.findings if found.severity is not Severity.INFO]
    assert alarms == [], CLEAN[name]
