"""What a guard lets the plan count on."""

from __future__ import annotations

import pytest

from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH -N1\n"


def words(script: str) -> list[str | None]:
    """The known texts of what the last program gets."""
    return [word.text for word in plan_of(HEAD + script).host_programs[-1].words[1:]]


@pytest.mark.parametrize(
    "guard",
    [
        ": ${X:?}",
        ': "${X:?give it}"',
        'if [ -z "$X" ]; then exit 1; fi',
        '[[ -n "${X:-}" ]] || exit 1',
        '[ -z "$X" ] && exit 1',
        'Y="${X:?}"; X=$Y',
        "X=${1:?}",
    ],
)
def test_a_variable_that_is_not_empty(guard: str) -> None:
    assert words(f'{guard}\npython "${{X:+given}}" ${{X:+too}}\n') == ["given", "too"]
    assert words(f'{guard}\nif [ -z "$X" ]; then A=1; else A=2; fi\npython $A\n') == ["2"]
    assert words(f'{guard}\npython "$X"\n') == [None]


@pytest.mark.parametrize(
    "behind", ["X=$Z", "read -r X < f", "for X in $Z; do :; done", "X=$(date)", "export X=$Z", "eval X=$Z"]
)
def test_it_is_forgotten(behind: str) -> None:
    assert words(f': ${{X:?}}\n{behind}\npython "${{X:+given}}"\n') == [None]


def test_unset_takes_it_away() -> None:
    assert words(': ${X:?}\nunset X\npython "${X:+given}"\n') == [""]


@pytest.mark.parametrize("guard", [": ${X?}", "[[ -v X ]] || exit 1"])
def test_set_is_not_filled(guard: str) -> None:
    assert words(f'{guard}\npython "${{X+set}}" "${{X:+filled}}"\n') == ["set", None]


def test_the_empty_one_of_several_is_left_out() -> None:
    script = 'if [ -e a ]; then A=; else A=b; fi\n: ${A:?}\npython "$A"\n'
    assert words(script) == ["b"]


def test_slurms_own_variables_stay_what_they_are() -> None:
    head = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=4\n"
    (step,) = plan_of(head + ": ${SLURM_JOB_ID:?} ${SLURM_PROCID:?}\nsrun ./a\n").steps
    assert step.geometry.tasks is not None and step.geometry.tasks.value == 8
