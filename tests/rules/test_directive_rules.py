"""Blocks of directives, right and wrong ones, as people write them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding, Severity
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.registry import Registry
from sbatchlint.slurm.request import read_request
from sbatchlint.source import Source

CASES = Path(__file__).parent / "cases"
RIGHT = (CASES / "right_directives.txt").read_text("utf-8").rstrip("\n").split("\n---\n")
SCRIPTS = json.loads((CASES / "right_scripts.json").read_text("utf-8"))
WRONG = json.loads((CASES / "wrong_directives.json").read_text("utf-8"))
"""A live Slurm 22.05 was asked: it takes the right ones, but for names of a cluster, and what is mended."""
ABOUT_THE_SCRIPT = ("SB115", "SB201", "SB22", "SB23")
"""Rules about what stands below the directives, which have tests of their own."""
RULES = Registry.load().select(select=("SB0", "SB1", "SB2", "SB501", "SB503"), ignore=ABOUT_THE_SCRIPT)


def found(source: Source) -> list[Finding]:
    result = lint_source(source, RULES)
    assert not result.internal_errors
    return [finding for finding in result.findings if finding.severity is not Severity.INFO]


def script(lines: list[str]) -> str:
    return "\n".join(["#!/bin/bash", *lines, ""])


def fixed(text: str) -> str:
    return fix_source(Source.from_text(text, "job.sh"), RULES).converged.source.to_bytes().decode("utf-8")


@pytest.mark.parametrize("block", RIGHT)
def test_nothing_is_said_of_a_right_block(block: str) -> None:
    assert found(Source.from_text(script([block, "srun hostname"]), "job.sh")) == []


@pytest.mark.parametrize("case", SCRIPTS, ids=lambda case: case["name"])
def test_nothing_is_said_of_a_right_script(case: dict[str, str]) -> None:
    assert found(Source.from_text(case["text"], case["name"])) == []


def test_bytes_that_are_not_utf_8_are_no_mistake() -> None:
    assert found(Source.from_bytes(b"#!/bin/bash\n#SBATCH -J caf\xe9\n#SBATCH -N1\nsrun x\n", "job.sh")) == []


@pytest.mark.parametrize("case", WRONG, ids=lambda case: "|".join(case["lines"][:-1]))
def test_a_wrong_block_is_told_of_once_and_at_its_line(case: dict[str, Any]) -> None:
    source = Source.from_text(script(case["lines"]), "job.sh")
    findings = found(source)
    places = [[source.position(f.span.start).line, f.code, f.severity.value] for f in findings]
    assert places == case["findings"]
    assert all(finding.help and finding.label != finding.message for finding in findings)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: "|".join(case["lines"][:-1]))
def test_a_wrong_block_is_mended_as_it_should_be_or_left_alone(case: dict[str, Any]) -> None:
    assert fixed(script(case["lines"])).split("\n")[1:-1] == case.get("fixed", case["lines"])


@pytest.mark.parametrize(("line", "safe"), [("# SBATCH --nodes=2", False), ("#sbatch --nodes=2", True)])
def test_what_may_be_switched_off_is_revived_on_request_only(line: str, safe: bool) -> None:
    text = script([line, "srun hostname"])
    mended = script(["#SBATCH --nodes=2", "srun hostname"])
    assert fixed(text) == (mended if safe else text)
    asked = fix_source(Source.from_text(text, "job.sh"), RULES, unsafe=True).converged.source.text
    assert asked == mended


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        (["# SBATCH --nodes=2"], "warning"),
        (["# SBATCH --nodes=2", "# SBATCH --time=5", "#SBATCH --ntasks=4"], "warning"),
        (["#SBATCH --ntasks=4", "# SBATCH --nodes=2"], "info"),
        (["#SBATCH --ntasks=4", "# SBATCH --nodes=2", "#SBATCH --mem=1G", "# SBATCH --time=5"], "info"),
        (["#SBATCH --ntasks=4", "#SBATCH --mem=1G", " #SBATCH --nodes=2"], "error"),
        (["#SBATCH --ntasks=4", "#SBATCH --mem=1G", "#SBACTH --nodes=2"], "error"),
        (["#SBATCH --ntasks=4", "#SBATCH --mem=1G", "#sbatch --nodes=2"], "error"),
    ],
)
def test_a_blank_within_beside_proper_directives_is_mostly_meant(lines: list[str], severity: str) -> None:
    findings = lint_source(Source.from_text(script([*lines, "srun hostname"]), "job.sh"), RULES).findings
    assert {finding.severity.value for finding in findings if finding.code == "SB103"} == {severity}


@pytest.mark.parametrize("marker", ["#SBACTH", "#sbatch", " #SBATCH", "#SBATCh"])
@pytest.mark.parametrize(
    ("options", "severity"),
    [
        ("-e slurm-%j.out", "warning"),
        ("--output=logs/%j.out --job-name=fit", "warning"),
        ("--mail-type=END,FAIL", "warning"),
        ("--mail-user=a@b.org --comment=x --wckey=y --open-mode=append", "warning"),
        ("--ntasks=4", "info"),  # said on a line of its own
        ("--ntasks=4 -J fit", "warning"),
        ("--time=5", "error"),
        ("-J fit --nodes=2", "error"),
        ("--account=a", "error"),
        ("--requeue", "error"),
        ("--signal=B:USR1@60", "error"),
        ("--exclusive", "error"),
        ("--chdir=/data", "error"),
        ("--input=run.in", "error"),
    ],
)
def test_a_line_without_which_the_job_runs_the_same_is_no_error(
    marker: str, options: str, severity: str
) -> None:
    text = script(["#SBATCH --ntasks=4", "#SBATCH --mem=1G", f"{marker} {options}", "srun hostname"])
    findings = lint_source(Source.from_text(text, "job.sh"), RULES).findings
    found = {finding.severity.value for finding in findings if finding.code == "SB103"}
    # an option that is given already, in a line that is not misspelt, is taken for switched off
    silent = options.startswith("--ntasks") and marker not in ("#SBACTH",)
    assert found == (set() if silent else {severity})


MENDED = [case for case in WRONG if "fixed" in case]


def options(text: str) -> Counter[tuple[str, str | None]]:
    request = read_request(Source.from_text(text, "job.sh"), None)
    uses = (use for component in request.components for use in component.uses)
    return Counter((use.spec.long, use.value) for use in uses if use.spec.long != "nice")


def _everywhere(change: Callable[[str], str]) -> Callable[[list[str]], str]:
    def changed(lines: list[str]) -> str:
        return script([change(line) if line.startswith("#SBATCH ") else line for line in lines])

    return changed


ROUGH: dict[str, Callable[[list[str]], str]] = {
    "a remark behind": _everywhere(lambda line: line if "#" in line[1:] else f'{line}  # größe "x" it\'s'),
    "an option behind": _everywhere(lambda line: line if "#" in line[1:] else f"{line} --nice=7"),
    "an option before": _everywhere(lambda line: f"#SBATCH --nice=7 {line[8:]}"),
    "a tab before": _everywhere(lambda line: line.replace(" ", "\t", 1)),
    "CRLF": lambda lines: script(lines).replace("\n", "\r\n"),
    "no newline at the end": lambda lines: script(lines).rstrip("\n"),
    "other letters": lambda lines: script(["# größe 模型 🚀", *lines]),
}


@pytest.mark.parametrize("roughness", ROUGH)
@pytest.mark.parametrize("case", MENDED, ids=lambda case: "|".join(case["lines"][:-1]))
def test_a_rougher_one_is_mended_alike_or_left_alone(case: dict[str, Any], roughness: str) -> None:
    rough = ROUGH[roughness](case["lines"])
    mended = fixed(rough)
    assert mended.count("größe") == rough.count("größe")
    assert fixed(mended) == mended
    nothing_new = options(script(case["fixed"])) | options(rough)
    assert set(options(mended)) <= set(nothing_new)


@pytest.mark.parametrize("follows", ["", "#SBATCH --time=10", "#SBATCH --mem=4G --time=10"])
@pytest.mark.parametrize("option", ["--gpus-per-task", "--nodes", "--time", "-J", "--gres"])
def test_empty_quotes_that_take_a_value_away_are_one_finding(option: str, follows: str) -> None:
    text = f'#!/bin/bash\n#SBATCH --ntasks=1\n#SBATCH {option} ""\n{follows}\nsrun hostname\n'
    told = [one.code for one in found(Source.from_text(text)) if one.code in ("SB111", "SB116")]
    assert told == ["SB116"]
