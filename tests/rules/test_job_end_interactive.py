"""Rules on how a job ends say nothing of command lines that are typed: they are no batch script."""

from __future__ import annotations

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules

OF_BATCH_SCRIPTS = {"SB353", "SB354", "SB355", "SB356", "SB362", "SB364", "SB414", "SB415"}


@pytest.mark.parametrize(
    "body",
    [
        "srun -n1 python t.py\necho done\n",
        "srun -n1 python t.py | tee log\n",
        "srun -n1 python t.py &\n",
        "cd $REPO\nsrun -n1 python t.py\n",
        'HERE=$(dirname "$0")\nsrun -n1 $HERE/t.py\n',
    ],
)
def test_nothing_is_said_of_the_job(body: str) -> None:
    def codes(*, interactive: bool) -> set[str]:
        options = LintOptions(interactive=interactive)
        text = "#!/bin/bash\n" + ("" if interactive else "#SBATCH --ntasks=1\n") + body
        return {f.code for f in lint_source(Source.from_text(text, "run.sh"), all_rules(), options).findings}

    assert codes(interactive=False) & OF_BATCH_SCRIPTS
    assert not codes(interactive=True) & OF_BATCH_SCRIPTS
