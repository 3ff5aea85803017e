"""SB114 and SB209: what the script's own usage gives on the command line."""

from __future__ import annotations

import pytest

from tests.rules.checking import lines

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
