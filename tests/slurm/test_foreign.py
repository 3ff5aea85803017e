"""``#PBS`` and ``#BSUB`` lines as sbatch translates them."""

from __future__ import annotations

import pytest

from sbatchlint.slurm.option_use import Origin
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.slurm.verdict import judge
from sbatchlint.source import Source

HEAD = "#!/bin/sh\n"


def read(text: str, release: str | None = None) -> JobRequest:
    return read_request(Source.from_text(HEAD + text), release)


def options(text: str, release: str | None = None) -> dict[str, str | None]:
    return {use.spec.long: use.value for use in read(text, release).uses if use.origin is Origin.FOREIGN}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#PBS -N a -A b -q c\n", {"job-name": "a", "account": "b", "partition": "c"}),
        ("#PBS -l walltime=1:00:00,mem=4gb\n", {"time": "1:00:00", "mem": "4g"}),
        ("#PBS -l nodes=2:ppn=8\n", {"nodes": "2", "ntasks": "16"}),
        ("#PBS -l nodes=a1:ppn=2+a2:ppn=2\n", {"ntasks": "4", "nodelist": "a1,a2"}),
        ("#PBS -l nodes=1:gpus=2\n", {"gpus-per-node": "2", "nodes": "1"}),
        (
            "#PBS -l select=2:ncpus=8:mpiprocs=4\n",
            {"nodes": "2", "mincpus": "8", "ntasks-per-node": "4", "cpus-per-task": "2"},
        ),
        ("#PBS -l naccelerators=3\n", {"gres": "gpu:3"}),
        ("#SBATCH --gres=nvme:1\n#PBS -l accelerator=true\n", {"gres": "nvme:1,gpu:1"}),
        ("#PBS -l feature=x,walltime=5\n", {"time": "5"}),
        ("#PBS -m abe -M me@x\n", {"mail-type": "BEGIN,END,FAIL", "mail-user": "me@x"}),
        ("#PBS -m n\n", {"mail-type": "NONE"}),
        ("#PBS -j oe -V -k oe -S /bin/sh\n", {}),
        ("#PBS -h\n#PBS -t 0-3 -p 5\n", {"hold": None, "array": "0-3", "nice": "5"}),
        ("#PBS -W depend=afterok:7\n", {"dependency": "afterok:7"}),
        ("#PBS -W group_list=x\n", {}),
        ("#PBS -v A=1 -v B=2\n", {"export": "A=1,B=2"}),
        ("#BSUB -J a -W 10 -n 2,4 -q c\n", {"job-name": "a", "time": "10", "ntasks": "4", "partition": "c"}),
        ("#BSUB -M 2000\n", {"mem-per-cpu": "2000K"}),
        ("#BSUB -M 2G -x\n", {"mem-per-cpu": "2G", "exclusive": None}),
        ('#BSUB -cwd /x -m "a b"\n', {"chdir": "/x", "nodelist": "a,b"}),
        ("date\n#BSUB -o out\n", {"output": "out"}),
    ],
)
def test_translated(text: str, expected: dict[str, str | None]) -> None:
    assert options(text) == expected
    assert not read(text).unsure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#PBS -Z\n", "Unrecognized command line parameter ?"),
        ("#PBS -N\n", "option requires an argument -- 'N'"),
        ("#PBS stray\n", "Invalid argument: stray"),
        ("#PBSX\n", "Invalid argument: X"),
        ("#PBS -l naccelerators=x\n", 'Invalid numeric value "x" for naccelerators.'),
        ("#BSUB -n 2,\n", "#BSUB -n format not correct given: '2,'"),
        ("#BSUB -R span\n", "Unrecognized command line parameter ?"),
    ],
)
def test_refused(text: str, said: str) -> None:
    request = read(text)
    assert said in request.foreign_problems[0].said
    assert request.unsure
    assert request.foreign_problems[0].line == 2


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--ignore-pbs"], []), ([], [("SBATCH_IGNORE_PBS", "")]), ([], [])],
)
def test_unmatched_quote_counts_unless_the_lines_are_ignored(
    arguments: list[str], environment: list[tuple[str, str]]
) -> None:
    source = Source.from_text(HEAD + "#PBS -N it's\n")
    refused = judge(source, "22.05", sbatch_args=arguments, environment=environment).refused
    assert refused is not bool(arguments or environment)


@pytest.mark.parametrize("kinds", ["z", "s", "f", "p", "x,y"])
def test_mail_option_without_a_letter_that_sbatch_knows(kinds: str) -> None:
    """An empty ``--mail-type`` comes of it, which sbatch then refuses."""
    verdict = judge(Source.from_text(f"{HEAD}#PBS -m {kinds}\n"), "22.05")
    assert [refusal.said for refusal in verdict.refusals] == ["Invalid --mail-type specification"]


def test_working_directory_is_known_since_23_02() -> None:
    assert options("#PBS -d /x\n", "23.02") == {"chdir": "/x"}
    assert read("#PBS -d /x\n", "22.05").foreign_problems


def test_place_of_a_value() -> None:
    text = "#PBS -l walltime=1:00,mem=4gb\n"
    use = read(text).get("time")
    assert use is not None
    assert use.value_span is not None
    assert (HEAD + text)[use.value_span.start : use.value_span.end] == "1:00"
    assert use.line == 2
