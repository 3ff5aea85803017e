"""The lines that make a script as long as it shall be: what stands between its parts."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks import words
from benchmarks.draft import Draft
from benchmarks.figures import SUMS, TESTS_IN_DOUBLE_BRACKETS
from benchmarks.launching import continued, launch

_MEAN_LENGTH = 95
"""Lines of a script on average, by which counts for each script become chances for each line."""


def filling(draft: Draft, size: int) -> list[str]:
    """Return *size* lines."""
    lines: list[str] = []
    while len(lines) < size:
        room = size - len(lines)
        block = _block(draft)
        lines += block if len(block) <= room else _short(draft, room)
    return lines


def _short(draft: Draft, room: int) -> list[str]:
    return [_comment(draft)[0] if draft.likely(0.5) else _variable(draft)[0] for _ in range(room)]


def _block(draft: Draft) -> list[str]:
    """Return a paragraph of a script, or a line of it."""
    if draft.likely(_LINES_OF_A_BLOCK * TESTS_IN_DOUBLE_BRACKETS / _MEAN_LENGTH):
        return _double_brackets(draft)
    if draft.likely(_LINES_OF_A_BLOCK * SUMS / _MEAN_LENGTH):
        return [
            draft.one(
                (
                    "export WORLD_SIZE=$((GPUS_PER_NODE * NNODES))",
                    "BATCH=$((1024 * 220))",
                    "EPOCHS=$((EPOCHS + 1))",
                )
            )
        ]
    at = draft.chance.random() * sum(weight for weight, _ in _BLOCKS)
    for weight, make in _BLOCKS:
        at -= weight
        if at < 0:
            return make(draft)
    return [""]


def _blank(draft: Draft) -> list[str]:
    return [""]


def _comment(draft: Draft) -> list[str]:
    return [f"# {draft.comment()}"]


def _comments(draft: Draft) -> list[str]:
    return [f"# {draft.comment()}" for _ in range(1 + draft.chance.randrange(6))]


def _variable(draft: Draft) -> list[str]:
    name = draft.one(words.PATHS)
    return [
        f"{name}={draft.path()}" if draft.likely(0.7) else f'{name}="{draft.path()}/{draft.one(words.JOBS)}"'
    ]


def _variables(draft: Draft) -> list[str]:
    return [line for _ in range(1 + draft.chance.randrange(4)) for line in _variable(draft)]


def _numbers(draft: Draft) -> list[str]:
    names = draft.some(words.SIZES, 3)
    return [f"{name}={draft.one(words.NUMBERS['layers'])}" for name in names]


def _export(draft: Draft) -> list[str]:
    return [f"export {draft.one(words.SETTINGS)}"]


def _folders(draft: Draft) -> list[str]:
    return [f"mkdir -p {draft.path()}"] if draft.likely(0.7) else [f"cd {draft.path()}"]


def _says(draft: Draft) -> list[str]:
    if draft.likely(0.4):
        return [f'echo "{draft.one(words.PURPOSES)}: ${draft.one(words.SIZES)} $STAMP"']
    return [f"echo {draft.one(words.SAYINGS)}"]


def _appended(draft: Draft) -> list[str]:
    first, second = draft.options(2)
    if draft.likely(0.5):
        return [f'EXTRA_ARGS="{first}"', f'EXTRA_ARGS="$EXTRA_ARGS {second}"']
    return [f'OPTIONS+=" {first} {second}"']


def _option_string(draft: Draft) -> list[str]:
    options = draft.options(4 + draft.chance.randrange(12))
    name = draft.one(words.ARGUMENTS)
    return [f'{name}=" \\', *(f"    {option} \\" for option in options), '    "']


def _program(draft: Draft) -> list[str]:
    options = draft.options(2 + draft.chance.randrange(8))
    more = [f"${name}" for name in draft.some(words.ARGUMENTS, 2)]
    return continued([f"python {draft.one(words.PROGRAMS)}", *options, *more])


def _step(draft: Draft) -> list[str]:
    return [f"srun --ntasks=1 {draft.one(('nvidia-smi -L', 'hostname', 'python check.py', './prepare.sh'))}"]


def _condition(draft: Draft) -> list[str]:
    test = draft.one(
        ('[ -z "$1" ]', "[ ! -d $DATA_PATH ]", '[ "$SLURM_PROCID" -eq 0 ]', "[ -f $KILL_SWITCH_PATH ]")
    )
    return [f"if {test}; then", f"    {draft.one(('echo missing; exit 1', 'EPOCHS=4', 'LR=1e-4'))}", "fi"]


def _double_brackets(draft: Draft) -> list[str]:
    test = draft.one(
        ("-n $CHECKPOINT", '"$SIZE" == "7b"', "$NNODES -gt 1", "-z ${IMAGE:-}", "$HOST =~ ^gpu[0-9]+")
    )
    if draft.likely(0.4):
        return [f"[[ {test} ]] && echo {draft.one(words.SAYINGS)}"]
    return [f"if [[ {test} ]]; then", f"  SIZE={draft.one(words.NUMBERS['few'])}", "else", "  SIZE=1", "fi"]


def _loop(draft: Draft) -> list[str]:
    values = " ".join(draft.some(words.NUMBERS["tokens"], 3))
    return [f"for size in {values}; do", f"    python {draft.one(words.PROGRAMS)} --size $size", "done"]


def _in_background(draft: Draft) -> list[str]:
    kinds = (
        "nvidia-smi dmon > gpu.log &",
        f"(python {draft.one(words.PROGRAMS)} > {draft.path()}.log 2>&1) &",
    )
    return [draft.one(kinds), "wait"] if draft.likely(0.5) else [f"rsync -a {draft.path()}/ {draft.path()}/"]


def _filled_by_command(draft: Draft) -> list[str]:
    commands = (
        "date +%Y%m%d",
        "wc -l < hosts.txt",
        'basename "$DATA_PATH"',
        "hostname -s",
        "cat VERSION | tr -d v",
    )
    command = draft.one(commands)
    return [f"STAMP=`{command}`" if draft.likely(0.3) else f"STAMP=$({command})"]


_BLOCKS: tuple[tuple[float, Callable[[Draft], list[str]]], ...] = (
    (17, _blank),
    (7, _comment),
    (2.5, _comments),
    (7, _variables),
    (2.5, _numbers),
    (5, _export),
    (2.5, _folders),
    (3, _says),
    (1.5, _appended),
    (2.2, _option_string),
    (1.6, _program),
    (0.25, _step),
    (0.3, launch),
    (1, _condition),
    (0.6, _in_background),
    (0.25, _loop),
    (2, _filled_by_command),
)

_LINES_OF_A_BLOCK = 2.4
"""On average."""
