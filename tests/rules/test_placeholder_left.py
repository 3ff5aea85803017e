"""SB114 and SB209: what the script's own usage gives on the command line."""

from __future__ import annotations

import pytest

from tests.rules.checking import job, lines

BLOCK = "#!/bin/bash\n#SBATCH --partition=FIXME\n#SBATCH --nodes=0\n"


@pytest.mark.parametrize(
    "usage",
    [
        "# sbatch --partition=gpu --nodes=4 job.sh",
        "# Usage: sbatch -p gpu -N 4 job.sh DATA",
        "#   sbatch \\\n#     --partition=gpu \\\n#     --nodes=4 \\\n#     job.sh",
    ],
)
def test_it_is_no_more_than_an_info(usage: str) -> None:
    text = f"{BLOCK}{usage}\nsrun hostname\n"
    assert lines(text, "SB114") == [(2, "info")]
    assert lines(text, "SB209") == [(3, "info")]


@pytest.mark.parametrize(
    "usage", ["# see sbatch(1)", "# sbatch job.sh", "# sbatch --nodelist=a job.sh", "# srun -p gpu -N 2 x"]
)
def test_a_usage_that_does_not_give_the_option_changes_nothing(usage: str) -> None:
    text = f"{BLOCK}{usage}\nsrun hostname\n"
    assert lines(text, "SB114") == [(2, "warning")]
    assert lines(text, "SB209") == [(3, "warning")]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("srun --container-image=CHANGE_ME hostname", 2),
        ("srun --container-image='<path to the image>' hostname", 2),
        ("srun --container-mounts=/a:/b,/CHANGE_ME:/c hostname", 2),
        ("srun --container-image=/i.sqsh --container-workdir=/YOUR_REPO hostname", 2),
        ("srun --container-image=TODO hostname", 2),
        ('I=CHANGE_ME\nsrun --container-image="$I" hostname', 2),
        (
            'S=/CHANGE_ME\nC=(--container-image=/i.sqsh --container-mounts="$S:$S")\nsrun "${C[@]}" hostname',
            2,
        ),
        ('D=/lus/REPLACE_ME\nsrun python t.py --data "$D/train"', 2),
        ('D=/lus/REPLACE_ME\ncd "$D"', 2),
        ('D=/lus/REPLACE_ME\nexport HF_HOME="$D/hf"\nsrun python t.py', 2),
        ('D=/lus/REPLACE_ME\nsource "$D/bin/activate"', 2),
    ],
)
def test_a_mark_that_the_job_would_use(body: str, line: int) -> None:
    assert lines(job(body), "SB114") == [(line, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        "NAME=CHANGE_ME\nsrun python t.py --name $NAME",
        'srun python t.py --eos "</s>" --bos "<s>"',
        "srun --container-image=${IMAGE:-CHANGE_ME} hostname",
        "srun --container-image=/images/changeme2.sqsh hostname",
        "srun python /home/me/TODO.py --x /data/todo/a /data/XXX/FIXME_later",
        "# IMAGE=/CHANGE_ME\nsrun hostname",
        'if [ -n "$X" ]; then I=/a; else I=CHANGE_ME; fi\nsrun --container-image="$I" hostname',
        'I=CHANGE_ME\nif [ "$I" = CHANGE_ME ]; then exit 1; fi\nsrun --container-image="$I" hostname',
        "srun echo 'set CHANGE_ME first'",
        "UNUSED=/CHANGE_ME\nsrun hostname",
    ],
)
def test_a_mark_that_does_no_harm(body: str) -> None:
    assert lines(job(body), "SB114") == []


def test_a_mark_is_told_once() -> None:
    body = 'S=/CHANGE_ME\nsrun --container-image="$S/i.sqsh" --container-mounts="$S:$S" python "$S/t.py"'
    assert lines(job(body), "SB114") == [(2, "warning")]
