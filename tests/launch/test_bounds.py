"""No script keeps the evaluation busy: loops, recursion and growing texts are bounded."""

from __future__ import annotations

import time

import pytest

from sbatchlint.shell.reader import read_text
from tests.launch.agreement import plan_of

_SECONDS = 3.0
"""Far above what these take (a tenth of a second), far below what a blow-up would."""

_ENDLESS = {
    "while true": "while true; do sleep 1; done\npython end",
    "while with a program": "while ! grep -q x f; do sleep 1; N=$((N+1)); done\npython end",
    "for without an end": "for ((;;)); do sleep 1; done",
    "until false": "until false; do A=x$A; done",
    "nested endless": "while true; do while :; do while true; do A=$((A+1)); done; done; done",
    "four nested counts": (
        "for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do for d in {1..100}; do\n"
        "python $a$b$c$d; X=$X$a; done; done; done; done"
    ),
    "five nested unknown": (
        "for a in $A; do for b in $B; do for c in $C; do for d in $D; do for e in $E; do\n"
        "X=$X$a$b$c$d$e; ARGS+=($e); if [ $a = $b ]; then break 2; fi; python $X\n"
        "done; done; done; done; done"
    ),
    "recursion": "f() { f; }\nf\npython end",
    "recursion twice": 'f() { f "$1x"; f "$1y"; python "$1"; }\nf a',
    "mutual recursion": "f() { g; g; }\ng() { f; f; }\nf",
    "a text that doubles": "A=xxxxxxxx\nfor i in {1..60}; do A=$A$A; done\npython $A",
    "an array that doubles": 'A=(a b)\nfor i in {1..60}; do A+=("${A[@]}"); done\npython "${A[@]}"',
    "a file that doubles": "echo x > f\nfor i in {1..60}; do cat f f > g; cat g g > f; done\nbash f",
    "a script that runs itself": "cat > s <<'EOF'\nbash s; bash s\nEOF\nbash s",
    "eval of itself": 'A=\'eval "$A"; eval "$A"\'\neval "$A"',
    "substitutions nested": "A=" + "$(echo " * 60 + "x" + ")" * 60 + "\npython $A",
    "many undecided ifs": "\n".join(f'if [ "$V{i}" = 1 ]; then X=$X{i}; fi' for i in range(300))
    + "\npython $X",
    "many alternatives": "\n".join(f'[ "$V{i}" ] && A+=(--v{i})' for i in range(200)) + '\npython "${A[@]}"',
    "a long brace": "python {1..99999}{1..99999}",
    "a deep brace": "python " + "{a," * 40 + "b" + "}" * 40,
    "alternatives of alternatives": "\n".join(
        f"X{i}=${{X{i - 1}:-$X{i - 2}}}${{X{i - 2}:+$X{i - 1}}}" for i in range(1, 60)
    ),
    "a text that each replacement doubles": "A=aa\n" + "A=${A//a/aa}\n" * 40 + "python $A",
    "functions merged at every step": "\n".join(
        f"f{i}() {{ [ $V{i} ] && return 1; python {i}; }}" for i in range(200)
    )
    + "\n"
    + " || ".join(f"f{i}" for i in range(200)),
    "a long document that is run twice": (
        "cat > f <<'EOF'\n"
        + "".join(f"python line{i}.py\n" for i in range(5000))
        + "EOF\nsrun bash f\nsrun bash f"
    ),
    "a number printed as wide as memory": "printf -v A %1000000000d 5\npython $A",
    "a big pattern": "A=" + "a" * 3000 + "\npython ${A%%*a*a*a*a*b}",
}


@pytest.mark.parametrize("name", _ENDLESS)
def test_bounded(name: str) -> None:
    before = time.process_time()
    plan_of(_ENDLESS[name])
    assert time.process_time() - before < _SECONDS


def test_what_follows_an_endless_wait_is_still_seen() -> None:
    plan = plan_of("until curl -s host; do sleep 1; N=$((N+1)); done\nsrun python train.py")
    assert [step.words[2].text for step in plan.steps] == ["train.py"]
    assert not plan.incomplete


def test_nested_code_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def counted(text: str, start: int = 0, stop: int | None = None) -> object:
        texts.append(text)
        return read_text(text, start, stop)

    monkeypatch.setattr("sbatchlint.launch.code.read_text", counted)
    plan = plan_of("CMD='python train.py'\nfor i in {1..20}; do srun bash -c \"$CMD\"; done")
    assert len(plan.steps) == 20
    assert texts == ["python train.py"]
