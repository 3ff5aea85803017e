"""What two real Slurms made of small scripts, held against the findings of all rules about the request.

Where Slurm refuses, an error stands on the guilty line; where it takes the job, no finding is an error.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sbatchlint.cluster.load import load_profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.registry import Registry
from sbatchlint.source import Source

FOLDER = Path(__file__).parents[1] / "slurm" / "cases" / "directives"
CASES: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))["cases"]
CLUSTER = load_profile(str(Path(__file__).parent / "cases" / "cluster.toml"))
RULES = Registry.load().select(select=("SB0", "SB1", "SB2", "SB501", "SB9"))
"""Not those about what the script does: in these it is `hostname` and no more."""
RELEASES = ("22.05.8", "26.05.3")

NO_SCRIPT = {
    "022": "a NUL character: the command line tells it, before any rule looks",
    "023": "an empty file: so does it tell that",
    "024": "nothing but white space: so does it tell that",
}
NOT_IN_THE_SCRIPT = {
    "162": "a bad value in SBATCH_TIMELIMIT: there is no line to point at",
    "179": "a cluster without Pyxis: the option table takes Pyxis for granted",
}
MAYBE_ON_THE_COMMAND_LINE = {
    "145": "the number of tasks may be given to sbatch itself, so SB216 only warns",
    "156": "so may the number of GPUs",
}
MAYBE_OF_A_PLUGIN = {"057": "a name that is like none of sbatch's may be an option that a site adds"}
"""Cases that are an error only where the release is given."""
NO_ERROR_EXPECTED = {**NO_SCRIPT, **NOT_IN_THE_SCRIPT, **MAYBE_ON_THE_COMMAND_LINE}
"""Cases that Slurm refuses and in which no line of the script is an error."""

NEEDS_THE_CLUSTER = {
    "086": "over the partition's MaxTime",
    "098": "more nodes than the cluster has",
    "104": "an index beyond the cluster's MaxArraySize",
    "109": "a resource that the cluster does not know",
    "115": "a feature that no node has",
    "131": "hosts that the cluster does not have",
    "134": "more licences than the cluster has",
    "139": "a partition that the cluster does not have",
    "158": "over the partition's MaxNodes",
}
"""Cases that only a profile of the cluster can judge."""

MEANT_OTHERWISE = {
    "002": "blanks before #SBATCH: taken for a comment (SB103)",
    "004": "lower case: taken for a comment (SB103)",
    "012": "a directive below a command is not read (SB102)",
    "016": "a directive below a command is not read (SB102)",
    "034": "the second line of the directive is a command, and the third is not read (SB102)",
    "052": "-J=x calls the job =x (SB109)",
    "071": "~ is no home folder (SB106)",
    "072": "$HOME is no home folder (SB106)",
    "167": "the image is cut short at its # (SB105)",
}
"""Cases that Slurm takes without a word, and in which it does something else than what is written."""
ERROR_THOUGH_ACCEPTED = MEANT_OTHERWISE

GUILTY = {
    "019": 1,  # a blank first line
    "020": 1,  # a byte order mark
    "021": 1,  # DOS line ends
    "078": 3,  # the options end at the -- of the line above
    "079": 2,  # the bad value, though a later line overrides it
}
"""The guilty line where a case has not just one directive to blame."""
ACCEPTED_IN_20_11 = "150"


def source_of(case: dict[str, Any]) -> Source:
    return Source.from_bytes((FOLDER / case["script"]).read_bytes(), case["script"])


def errors(number: str, release: str | None, *, cluster: bool = False) -> list[tuple[int, Finding]]:
    """Line and finding of each error in a case."""
    case = CASES[number]
    source = source_of(case)
    options = LintOptions(
        release=release,
        sbatch_args=tuple(case["args"]),
        submit_environment=tuple(tuple(entry.split("=", 1)) for entry in case["env"]),
        cluster=CLUSTER if cluster else None,
    )
    result = lint_source(source, RULES, options)
    assert not result.internal_errors
    return [
        (source.position(finding.span.start).line, finding)
        for finding in result.findings
        if finding.severity.value == "error"
    ]


def guilty_line(number: str) -> int:
    """The line to blame: the only directive, where there is just one, or the missing ``#!``."""
    if number in GUILTY:
        return GUILTY[number]
    lines = source_of(CASES[number]).text.split("\n")
    directives = [at for at, line in enumerate(lines, 1) if line.startswith(("#SBATCH", "#PBS"))]
    assert len(directives) < 2
    return directives[0] if directives and lines[0].startswith("#!") else 1


def accepted(number: str, release: str) -> bool:
    return bool(CASES[number]["results"][release]["accepted"])


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", sorted(CASES))
def test_an_error_where_slurm_refuses_and_none_where_it_accepts(number: str, release: str) -> None:
    found = errors(number, release, cluster=number in NEEDS_THE_CLUSTER)
    if accepted(number, release):
        assert bool(found) is (number in ERROR_THOUGH_ACCEPTED)
    elif number in NO_ERROR_EXPECTED:
        assert not found
    else:
        assert guilty_line(number) in {line for line, _ in found}


@pytest.mark.parametrize("number", sorted(NEEDS_THE_CLUSTER))
def test_without_a_profile_nothing_is_said_of_the_cluster(number: str) -> None:
    assert not any(accepted(number, release) for release in RELEASES)
    assert not errors(number, RELEASES[0])


@pytest.mark.parametrize("number", sorted(CASES))
def test_without_a_release_an_error_only_where_both_refuse(number: str) -> None:
    found = errors(number, None)
    if any(accepted(number, release) for release in RELEASES):
        assert bool(found) is (number in ERROR_THOUGH_ACCEPTED)
    elif number == ACCEPTED_IN_20_11:
        assert not found
    elif number not in {*NO_ERROR_EXPECTED, *MAYBE_OF_A_PLUGIN, *NEEDS_THE_CLUSTER}:
        assert guilty_line(number) in {line for line, _ in found}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", sorted(CASES))
def test_what_slurm_said_is_quoted(number: str, release: str) -> None:
    """Whoever searches for a message of sbatch finds the finding."""
    stderr = CASES[number]["results"][release]["stderr"]
    for _, finding in errors(number, release):
        for note in finding.notes:
            if note.startswith("sbatch: ") and number not in ERROR_THOUGH_ACCEPTED:
                assert note in stderr


@pytest.mark.parametrize("number", sorted(MAYBE_ON_THE_COMMAND_LINE))
def test_told_the_command_line_a_missing_option_is_an_error(number: str) -> None:
    options = LintOptions(release="24.05", sbatch_args=("--job-name=x",))
    result = lint_source(source_of(CASES[number]), RULES, options)
    assert [finding.code for finding in result.findings if finding.severity.value == "error"] == ["SB216"]
