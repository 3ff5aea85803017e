"""SB102: directives below the first command, and what only looks like one that is meant to be read."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, lines

CODE = "SB102"
HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --job-name=a\n"


@pytest.mark.parametrize(
    "rest",
    [
        "srun hostname\n#SBATCH --time=10\nsrun date\n",
        "srun hostname\n#SBATCH --time=10\n",
        "if test -e x; then exit 1; fi\n#SBATCH --time=10\n",
        "test -e x || exit 1\n#SBATCH --time=10\n",
        "f() { exit 1; }\n#SBATCH --time=10\n",
        "(exit 1)\n#SBATCH --job-name=b\nsrun hostname\n",
    ],
)
def test_a_directive_that_is_missed(rest: str) -> None:
    assert [severity for _, severity in lines(HEAD + rest, CODE)] == ["error"]


def test_without_a_block_at_the_head_nothing_is_left_over() -> None:
    assert lines("#!/bin/bash\nsrun hostname\nexit 0\n#SBATCH --time=10\n", CODE) == [(4, "error")]


@pytest.mark.parametrize(
    "rest",
    [
        "srun hostname\nexit 0\n#SBATCH --time=10\n",
        "srun hostname\nexit\n\n#!/bin/bash\n#SBATCH --time=10\nsrun date\n",
        "srun hostname\nexit $?\n#SBATCH --time=10\n",
        "srun hostname\n\n#SBATCH --job-name=test\n# before: --lr 1\n# after: --lr 2\n",
        "{\nsrun hostname\n}\n#SBATCH --nodes=4\n",
    ],
)
def test_what_is_left_over_is_only_mentioned(rest: str) -> None:
    assert [severity for _, severity in lines(HEAD + rest, CODE)] == ["info"]
    assert fixed(HEAD + rest, code=CODE).converged.source.text == HEAD + rest


@pytest.mark.parametrize("dots", ["...", "  ....", "[...]", "…", "<...>"])
def test_an_ellipsis_stands_for_what_is_left_out(dots: str) -> None:
    text = f"{HEAD}{dots}\n#SBATCH --time=10\n\nsrun hostname\n"
    assert lines(text, CODE) == [(5, "warning")]
