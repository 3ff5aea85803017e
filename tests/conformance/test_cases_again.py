"""The recorded cases put to the live Slurm afresh: what is expected of us is Slurm's word, not a file's."""

from __future__ import annotations

import subprocess

import pytest

from sbatchlint.slurm.verdict import judge
from tests.conformance.live_slurm import Slurm
from tests.slurm.test_directive_cases import CASES, FOLDER, source_of

pytestmark = [pytest.mark.slurm, pytest.mark.slow]

CLUSTER_ALONE = {
    "086": "over the time limit of the partition",
    "097": "--nodes=0 is only refused once the job is not held",
    "098": "more nodes than there are",
    "104": "over MaxArraySize",
    "109": "no resource of that name",
    "115": "no such feature",
    "131": "no such node",
    "134": "more licences than there are",
    "139": "no such partition",
    "158": "over the node limit of the partition",
}
"""Cases whose answer rests on the cluster: a profile tells, and tests/rules asks with one."""
WITH_PYXIS = sorted(number for number, case in CASES.items() if case["plugin"])
ASKED = sorted(set(CASES) - set(WITH_PYXIS) - {"179"})
"""The live Slurm has no Pyxis: its cases can't be asked, and 179 is that there is none."""


def submit(slurm: Slurm, number: str) -> tuple[bool, str]:
    """Submit a case, held; tell whether it was accepted, and what sbatch said."""
    case = CASES[number]
    script = slurm.folder / case["script"]
    script.write_bytes((FOLDER / case["script"]).read_bytes())
    variables = dict(pair.split("=", 1) for pair in case["env"])
    done = subprocess.run(
        ["sbatch", "-H", "--parsable", *case["args"], script.name],
        env=slurm.environment | variables,
        cwd=slurm.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=60,
    )
    job = done.stdout.strip()
    if job.isdigit():
        subprocess.run(["scancel", "-Q", job], env=slurm.environment, check=False, timeout=60)
    return job.isdigit(), done.stderr


@pytest.mark.parametrize("number", ASKED)
def test_the_live_slurm_agrees(slurm: Slurm, number: str) -> None:
    case = CASES[number]
    accepted, said = submit(slurm, number)
    if slurm.release.startswith("22.05"):
        assert accepted == case["results"]["22.05.8"]["accepted"], said
    variables = [tuple(pair.split("=", 1)) for pair in case["env"]]
    verdict = judge(source_of(case), slurm.release, sbatch_args=case["args"], environment=variables)
    if number not in CLUSTER_ALONE:
        assert verdict.refused != accepted, said
