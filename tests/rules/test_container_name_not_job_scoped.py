"""SB504: container names that are the same in every job."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

CODE = "SB504"


@pytest.mark.parametrize(
    ("body", "mended"),
    [
        (
            ["srun --container-image=/i.sqsh --container-name=rl python t.py"],
            ["srun --container-image=/i.sqsh --container-name=rl-$SLURM_JOB_ID python t.py"],
        ),
        (
            ["srun --container-image=/i.sqsh --container-name rl:create python t.py"],
            ["srun --container-image=/i.sqsh --container-name rl-$SLURM_JOB_ID:create python t.py"],
        ),
        (
            ['NAME="rl"', "srun --container-image=/i.sqsh --container-name=$NAME python t.py"],
            ['NAME="rl-$SLURM_JOB_ID"', "srun --container-image=/i.sqsh --container-name=$NAME python t.py"],
        ),
        (
            [
                "srun --container-image=/i.sqsh --container-name=rl true",
                "srun --container-name=rl python t.py",
            ],
            [
                "srun --container-image=/i.sqsh --container-name=rl-$SLURM_JOB_ID true",
                "srun --container-name=rl-$SLURM_JOB_ID python t.py",
            ],
        ),
    ],
)
def test_the_id_is_added_wherever_the_name_stands(body: list[str], mended: list[str]) -> None:
    text = job(*body, nodes=1)
    assert [severity for _, severity in lines(text, CODE)] == ["warning"]
    assert fixed(text).converged.source.text == job(*mended, nodes=1)


def test_a_name_in_single_quotes_is_told_of_and_left() -> None:
    text = job("srun --container-image=/i.sqsh --container-name='rl' python t.py", nodes=1)
    assert len(lines(text, CODE)) == 1
    assert fixed(text).converged.source.text == text


@pytest.mark.parametrize(
    "body",
    [
        "srun --container-image=/i.sqsh --container-name=rl-$SLURM_JOB_ID python t.py",
        "srun --container-image=/i.sqsh --container-name=rl_${SLURM_JOBID} python t.py",
        "srun --container-image=/i.sqsh --container-name=$NAME python t.py",
        "srun --container-name=made-beforehand python t.py",
    ],
)
def test_quiet_where_the_name_is_the_jobs_own(body: str) -> None:
    assert lines(job(body, nodes=1), CODE) == []
