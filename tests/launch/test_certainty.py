"""What the environment may decide otherwise is assumed, never known."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from tests.launch.agreement import plan_of


def grades(text: str) -> dict[str, Certainty]:
    """Each argument of the first program, with how sure it is."""
    program = next(p for p in plan_of(text).host_programs if p.words[0].text == "python")
    return {word.value.show(): word.value.certainty for word in program.words[1:]}


@pytest.mark.parametrize(
    "text",
    [
        'python "${X:-d}"',
        'python "${X-d}"',
        'python "${X:=d}"',
        "python ${X:-d}",
        'X=${X:-d}\npython "$X"',
        ': "${X:=d}"\npython "$X"',
        'Y=${X:-d}\nZ=$Y\npython "$Z"',
        'f() { local a=${1:-$X}; python "$a"; }\nX=${X:-d}\nf',
        'python "$(echo "${X:-d}")"',
        'A=("${X:-d}")\npython "${A[0]}"',
        "cat > s <<EOF\npython ${X:-d}\nEOF\nbash s",
        'read -r Y <<< "${X:-d}"\npython "$Y"',
        'if [ "${X:-1}" = 1 ]; then Y=d; else Y=e; fi\npython "$Y"',
        'Y=d\n[ "${X:-1}" = 2 ] && Y=e\npython "$Y"',
        'Y=d\ncase ${X:-a} in b) Y=e ;; esac\npython "$Y"',
        'Y=d\nfor i in ${X:-}; do Y=e; done\npython "$Y"',
        'Y=${X:-de}\npython "${Y%e}"',
        'Y=e\nW=de\npython "${W%${X:-$Y}}"',
        'A=(c d e)\npython "${A[${X:-1}]}"',
        'Y=(${X:-a b} c d)\npython "${Y[3]}"',
    ],
)
def test_defaults_are_assumed(text: str) -> None:
    assert grades(text) == {"d": Certainty.ASSUMED}


def test_sums_of_defaults_are_assumed() -> None:
    assert grades('python "$((${TP:-2} * 4))" $((4 * 2))') == {"8": Certainty.KNOWN}
    assert grades('python "$((${TP:-2} * 3))"') == {"6": Certainty.ASSUMED}


@pytest.mark.parametrize(
    "text",
    [
        'X=v\npython "${X:-d}"',
        'X=${X:-d}\nX=v\npython "$X"',
        'f() { python "$1"; }\nf v',
        'if [ "${X:-1}" = 1 ]; then Y=d; fi\npython v',
        'Y=v\nif [ "${X:-1}" = 1 ]; then Z=d; fi\npython "$Y"',
        'set -- "${X:-d}" v\npython "$2"',
    ],
)
def test_what_the_script_fixes_is_known(text: str) -> None:
    assert grades(text) == {"v": Certainty.KNOWN}


def test_a_program_reached_by_a_default_says_so() -> None:
    plan = plan_of('if [ "${MODE:-train}" = train ]; then python train; else python eval; fi\npython end')
    assert [(p.words[1].text, p.assumed) for p in plan.host_programs] == [("train", True), ("end", False)]


def test_a_guard_is_taken_as_passed_but_told() -> None:
    plan = plan_of('if [ -z "$DATA" ]; then echo "set DATA"; exit 1; fi\nsrun python train.py "$DATA"')
    assert plan.may_stop
    assert not plan.steps[0].conditional
    assert not plan_of("srun python train.py").may_stop
