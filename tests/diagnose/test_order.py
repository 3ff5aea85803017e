"""The verdict does not depend on how the lines of processes were mixed, on noise, or on the files."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.diagnose.diagnosis import Confidence, Diagnosis
from sbatchlint.diagnose.signatures import Kind, signatures
from tests.diagnose.scenes import diagnose, verdict

ROOTS = {
    "cuda-oom": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.94 GiB.",
    "no-space": "OSError: [Errno 28] No space left on device",
    "module-not-found": "ModuleNotFoundError: No module named 'megatron.bridge'",
    "python-exception": "mylib.Odd: tensor 3 has no name",
}
NOISE = [
    one.positive
    for one in signatures().values()
    if one.kind is Kind.NOISE and "[W304" not in one.positive  # the time in it would not be that of the place
]
NOISE += [
    "error_rate: 0.25",
    "0 errors, 3 warnings",
    "val loss error 0.2",
    "",
    "WARNING: retrying in 3 s (attempt 2)",
]


@dataclass(frozen=True)
class Scene:
    """What happened at which rank, and when."""

    streams: tuple[tuple[str, ...], ...]
    """The lines of each rank."""
    srun: tuple[str, ...]
    """What srun says at the end."""
    root: str
    rank: int


def line(rank: int, second: int, text: str, *, label: bool = True) -> str:
    stamp = f"2026-03-04 10:{second // 60:02}:{second % 60:02},000"
    return f"{rank // 2}: [rank{rank}]: {stamp} {text}" if label else f"{stamp} {text}"


@st.composite
def scenes(draw: st.DrawFn, *, stamped_roots: bool = False) -> Scene:
    ranks = draw(st.integers(2, 5))
    first = draw(st.integers(0, ranks - 1))
    second = draw(st.integers(0, ranks - 1).filter(lambda rank: rank != first))
    root = draw(st.sampled_from(sorted(ROOTS)))
    other = draw(st.sampled_from(sorted(set(ROOTS) - {root})))
    streams = []
    for rank in range(ranks):
        lines = [line(rank, 10 * step, f"INFO iteration {step}") for step in range(draw(st.integers(1, 4)))]
        at = {first: 100, second: 400}.get(rank)
        if at is not None:
            name = root if rank == first else other
            lines.append(line(rank, at, "ERROR giving up"))
            stamp = f"2026-03-04 10:{at // 60:02}:{at % 60:02},500 ERROR " if stamped_roots else ""
            lines += [
                f"{rank // 2}: [rank{rank}]: Traceback (most recent call last):",
                f'{rank // 2}: [rank{rank}]:   File "a.py", line 3, in f',
                f"{rank // 2}: [rank{rank}]: {'' if name == 'python-exception' else stamp}{ROOTS[name]}",
            ]
        else:
            lines.append(line(rank, 700, "ERROR Watchdog caught collective operation timeout: "
                              "WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1)"))  # fmt: skip
        streams.append(tuple(lines))
    srun = tuple(
        f"srun: error: n{task}: tasks {task}: Exited with exit code 1" for task in sorted({0, ranks // 2})
    )
    return Scene(tuple(streams), srun, root, first)


@st.composite
def mixed(draw: st.DrawFn, scene: Scene) -> list[str]:
    """Return the lines of *scene* in some order that keeps that of each rank."""
    turns = draw(st.permutations([n for n, stream in enumerate(scene.streams) for _ in stream]))
    rest = [iter(stream) for stream in scene.streams]
    return [*(next(rest[turn]) for turn in turns), *scene.srun]


def assert_right(found: Diagnosis, scene: Scene) -> None:
    assert found.cause is not None
    assert found.cause.id == scene.root
    assert found.where.rank == scene.rank
    assert found.confidence is (Confidence.LIKELY if scene.root == "python-exception" else Confidence.KNOWN)


@given(st.data())
def test_the_order_of_lines_of_different_ranks_changes_nothing(data: st.DataObject) -> None:
    scene = data.draw(scenes())
    one, two = data.draw(mixed(scene)), data.draw(mixed(scene))
    found = diagnose("\n".join(one))
    assert_right(found, scene)
    assert verdict(found) == verdict(diagnose("\n".join(two)))


@given(st.data())
def test_noise_changes_nothing(data: st.DataObject) -> None:
    scene = data.draw(scenes())
    lines = data.draw(mixed(scene))
    plain = verdict(diagnose("\n".join(lines)))
    for text in data.draw(st.lists(st.sampled_from(NOISE), max_size=8)):
        rank = data.draw(st.integers(0, len(scene.streams) - 1))
        label = f"{rank // 2}: [rank{rank}]: "
        at = data.draw(st.integers(0, len(lines)))
        if at and at < len(lines) and "Traceback" in lines[at - 1] + lines[max(at - 2, 0)]:
            continue  # nothing of a process comes between the lines that it writes at once
        lines.insert(at, label + text)
    assert verdict(diagnose("\n".join(lines))) == plain


@given(st.data())
def test_a_file_for_each_rank_changes_nothing(data: st.DataObject) -> None:
    scene = data.draw(scenes())
    together = diagnose("\n".join(data.draw(mixed(scene))))
    logs = ["\n".join(stream) + "\n" for stream in (*scene.streams, scene.srun)]
    apart = diagnose(*data.draw(st.permutations(logs)))
    assert_right(apart, scene)
    assert verdict(apart) == verdict(together)


@given(st.data())
def test_a_log_in_parts_is_as_good_as_the_whole(data: st.DataObject) -> None:
    scene = data.draw(scenes(stamped_roots=True).filter(lambda one: one.root != "python-exception"))
    lines = data.draw(mixed(scene))
    at = data.draw(st.integers(0, len(lines)))
    whole = diagnose("\n".join(lines))
    parts = diagnose("\n".join(lines[:at]) + "\n", "\n".join(lines[at:]))
    assert (parts.cause and parts.cause.id, parts.where) == (whole.cause and whole.cause.id, whole.where)


@given(st.data())
def test_of_many_agents_the_one_that_saw_it_first_counts(data: st.DataObject) -> None:
    seconds = data.draw(st.lists(st.integers(0, 3599), min_size=2, max_size=5, unique=True))
    blocks = [block(task, second) for task, second in enumerate(seconds)]
    found = diagnose("\n".join(text for text in data.draw(st.permutations(blocks))))
    first = seconds.index(min(seconds))
    assert found.confidence is Confidence.CASCADE
    assert (found.where.node, found.where.task, found.where.rank) == (f"n{first}", first, first * 8 + 3)
    assert found.exit is not None
    assert found.exit.signal == "SIGABRT"


def block(task: int, second: int) -> str:
    lines = [
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        "=" * 60,
        "train.py FAILED",
        "-" * 60,
        "Failures:",
        "[1]:",
        "  time      : 2026-03-04_09:00:00",
        "  host      : other",
        "  rank      : 99 (local_rank: 1)",
        "  exitcode  : -15 (pid: 40001)",
        "-" * 60,
        "Root Cause (first observed failure):",
        "[0]:",
        f"  time      : 2026-03-04_10:{second // 60:02}:{second % 60:02}",
        f"  host      : n{task}",
        f"  rank      : {task * 8 + 3} (local_rank: 3)",
        "  exitcode  : -6 (pid: 40000)",
        "=" * 60,
    ]
    return "\n".join(f"{task}: {text}" for text in lines)
