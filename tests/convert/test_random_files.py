"""Random shell scripts: the ranks of the job get the words and variables that the script gives on one node.

Both are really run, with stand-ins.  A script may be refused; if it is not, it must do the same.
"""

from __future__ import annotations

import re

from hypothesis import event, given, settings
from hypothesis import strategies as st

from sbatchlint.convert.conversion import convert
from sbatchlint.convert.refusal import Refused
from sbatchlint.report.convert_script import script_text
from sbatchlint.source import Source
from tests.convert.scripts import with_nodes
from tests.convert.simulated import Cluster, Outcome, is_bash

ENVIRONMENT = {
    "HOME": "/home/me",
    "GIVEN": "from the shell",
    "EMPTY": "",
    "STAR": "*",
    **dict.fromkeys(("A", "C", "D", "L", "M", "P", "W", "X", "f"), "of env"),
}
LINES = [
    "A=1",
    'A="x y"',
    "A='$q'",
    "A=",
    "export B=2",
    'export B="$A z"',
    "B=$A$B",
    "readonly R=1",
    'B="${GIVEN}/b"',
    'ARGS=(--data "$A" --n $B)',
    'ARGS+=("more $GIVEN")',
    "ARGS=()",
    'ARGS=("${ARGS[@]}" last)',
    "C=${HOME}/c",
    "C=~/c",
    "C=${NEVER:-dflt}",
    "C=${NEVER-}",
    "C=${A:-no}",
    'C=${A%"x"}',
    "C=$((1 + 2))",
    "C=$(echo hi there)",
    "C=`echo x`",
    'if [ -n "$A" ]; then D=1; else D=2; fi',
    "[ -d nothing ] && D=3",
    '[ -z "$GIVEN" ] || D=4',
    "true && D=5",
    "for f in a b; do ARGS+=(--f $f); done",
    "for f in $A; do D=$f; done",
    'while [ -z "$W" ]; do W=1; done',
    "case $A in 1) D=one ;; *) D=other ;; esac",
    "set -- a 'b c'",
    'set -- "$@" "$A"',
    "shift || true",
    "set -e",
    "set -ux",
    "set -f",
    "set -a; SENT=1; set +a",
    "mkdir -p out",
    "mkdir -p out && cd out",
    "cd /",
    "cd /tmp || exit 1",
    "unset A",
    "read -r X <<< 'in put'",
    "mapfile -t M < <(echo m n)",
    "printf -v P '%s' pp",
    "f() { D=$1; }",
    "f 9",
    "f 'x y'",
    "echo hello",
    "touch a.txt b.txt",
    "source nothing.sh 2> /dev/null || true",
    "declare -a N=(1 '2 3')",
    "N[5]=five",
    "umask 022",
    "sleep 0",
    "rm -f x",
    "export PYTHONPATH=src:$PYTHONPATH",
    "export PYTHONPATH=/a",
    "IFS=,",
    "let L=3+4",
    "shopt -s nullglob",
    "{ A=grouped; }",
    "(A=lost)",
    "export MASTER_PORT=29500",
    "local_rank=0",
    "E=$EMPTY",
    "G=$STAR",
]
WORDS = [
    "$A",
    '"$A"',
    '"$B"',
    "$B",
    '"$C"',
    "$C",
    "--d=$D",
    '"${D:-none}"',
    '"${ARGS[@]}"',
    "${ARGS[@]}",
    '"$@"',
    "$*",
    '"$#"',
    "$GIVEN",
    '"$GIVEN"',
    "'$A'",
    "plain",
    '"a $A b"',
    "*.txt",
    '"$X"',
    '"${M[@]}"',
    "$P",
    '"${N[@]}"',
    "--l=$L",
    "$G",
    "--s=$SENT",
    '"$(echo sub "$A")"',
    "$(echo two words)",
    "~/w",
    "{p,q}",
    "$((2 * 3))",
    '"${#ARGS[@]}"',
    '"${A/x/y}"',
    "--p=$MASTER_PORT",
    '"$E"',
    "$E",
    "a\\ b",
    '"\\$A"',
    "$'t\\tt'",
    '"${NEVER-}"',
    "${EMPTY:+never}",
    "$PWD/z",
    '"$W$f"',
]
COMMANDS = [
    "torchrun --nproc_per_node=2 t.py {}",
    "torchrun --nproc_per_node=2 t.py {} > log 2>&1",
    "torchrun --nproc_per_node=2 t.py {} 2>&1 | tee log",
    'X1=1 X2="$A" torchrun --nproc_per_node 2 t.py {}',
    "true && torchrun --nproc_per_node=2 -m pkg.t {} || exit 1",
    "( torchrun --nproc_per_node=2 t.py {} )",
    "uv run torchrun --nproc_per_node=2 t.py {}",
    "exec torchrun --nproc_per_node=2 t.py {}",
    'CMD="torchrun --nproc_per_node=2"\n$CMD t.py {}',
    "accelerate launch --num_processes=2 t.py {}",
]
NAMES = ("B", "X1", "X2", "SENT", "GIVEN")


def ranks(outcome: Outcome) -> set[object]:
    """What each rank got, without the number of the run."""
    return {
        tuple(
            None if text is None else re.sub(r"/run\d+/", "/run/", text)
            for text in (*call.words, *map(call.environment.get, NAMES), call.environment["PWD"])
        )
        for call in outcome.ranks
    }


@settings(max_examples=70)
@given(
    st.lists(st.sampled_from(LINES), max_size=6),
    st.lists(st.sampled_from(WORDS), max_size=4),
    st.sampled_from(COMMANDS),
)
def test_the_job_does_what_the_file_does(
    cluster: Cluster, lines: list[str], words: list[str], command: str
) -> None:
    text = "\n".join([*lines, command.replace("{}", " ".join(words))]) + "\n"
    try:
        made = script_text(convert(Source.from_text(text, "train.sh"), with_nodes(2, 2))).encode()
    except Refused as refused:
        event("refused")
        assert refused.subject and refused.message
        return
    assert is_bash(made)
    alone = cluster.run(text.encode(), ENVIRONMENT)
    if len(alone.ranks) != 2:
        event("the file itself fails")
        return
    job = cluster.run(made, ENVIRONMENT)
    if job.status != 0 and "export " in job.errors:
        event("a variable is missing")  # the file trains with an empty word; the job says so
        assert "in the shell that submits this job" in job.errors and job.ranks == []
        return
    event("the same")
    assert (job.status, len(job.ranks)) == (0, 4), job.errors
    assert ranks(job) == ranks(alone)
