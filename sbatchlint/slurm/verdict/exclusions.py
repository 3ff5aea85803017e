"""Options that exclude each other, or that have no effect beside one another.

The rules are those of ``validate_options_salloc_sbatch_srun`` in ``src/common/slurm_opt.c`` and the beginning
of ``_opt_verify`` in ``src/sbatch/opt.c``.  Slurm tells what a directive or the command line sets ("set by
cli") from what a variable sets: the first is stronger, and only two of a kind collide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.tres import TresRequest
from sbatchlint.slurm.options import Release
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.grounds import about
from sbatchlint.slurm.verdict.settings import Settings

_EXCLUSIVE = ComplaintKind.EXCLUSIVE_OPTIONS
_MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")
_BESIDE_TASKS_PER_GPU = (
    ("tres-per-task", (23, 2)),
    ("gpus-per-task", (20, 11)),
    ("gpus-per-socket", (20, 11)),
    ("ntasks-per-node", (20, 11)),
)
"""What ``--ntasks-per-gpu`` excludes, and since when."""
_STRONGER_THAN_HINT = ("ntasks-per-core", "threads-per-core", "extra-node-info")
_STRONGER_LATER = ("cores-per-socket", "sockets-per-node")

_SHARE: Release = (23, 2)
_CHECKS_GPUS: Release = (21, 8)
_CPUS_PER_GPU: Release = (23, 11)
_GRES: Release = (26, 5)
_SPECIALISED: Release = (21, 8)
_HINT_LATER: Release = (25, 11)
_ARBITRARY: Release = (23, 11)
_TRES: Release = (23, 2)
_TRES_EQUALS: Release = (24, 5)
"""First series in which sbatch sees ``cpu=4`` there, and not only ``cpu:4``."""
_SAME_TASKS_PER_GPU: Release = (21, 8)


def exclusions(settings: Settings) -> Iterator[Complaint]:
    """Say which options of a component exclude each other."""
    yield from _memory(settings)
    yield from _tasks_per_gpu(settings)
    yield from _sharing(settings)
    yield from _specialised_cores(settings)
    yield from _gpus_per_node(settings)
    yield from _cpus_per_gpu(settings)
    yield from _per_task(settings)
    yield from _arbitrary(settings)
    yield from _burst_buffer(settings)
    yield from _requeue(settings)
    yield from _hint(settings)
    yield from _mail(settings)


def _memory(settings: Settings) -> Iterator[Complaint]:
    said = "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."
    by_user = tuple(name for name in _MEMORY if settings.by_user(name))
    if len(by_user) > 1:
        yield about(settings, by_user, _EXCLUSIVE, said)
    by_variable = tuple(name for name in _MEMORY if settings.by_environment(name))
    if not by_user and len(by_variable) > 1:
        said = "SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive."
        yield about(settings, by_variable, _EXCLUSIVE, said)


def _tasks_per_gpu(settings: Settings) -> Iterator[Complaint]:
    names = ("ntasks-per-gpu", "ntasks-per-tres")
    given = tuple(name for name in names if settings.given(name))
    if len(given) == 2:
        same = settings.integer(names[0]) == settings.integer(names[1])
        if not settings.since(_SAME_TASKS_PER_GPU):
            yield about(
                settings, given, _EXCLUSIVE, "--ntasks-per-gpu and --ntasks-per-tres are mutually exclusive"
            )
        elif not same:
            values = tuple(settings.integer(name) for name in names)
            said = "Inconsistent values set to --ntasks-per-gpu={} and --ntasks-per-tres={} ".format(*values)
            yield about(settings, given, _EXCLUSIVE, said)
    for other, since in _BESIDE_TASKS_PER_GPU:
        if not given or not settings.given(other) or not settings.since(since):
            continue
        if settings.by_environment(other) and other == "tres-per-task" and not _task_gpus(settings):
            continue
        name = f"--{other}" if settings.by_user(other) else "SLURM_" + other.upper().replace("-", "_")
        said = f"{name} is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU"
        yield about(settings, (other, *given), _EXCLUSIVE, said)


def _task_gpus(settings: Settings) -> int:
    tres = settings.value("tres-per-task", TresRequest)
    return 0 if tres is None else tres.gres.count()


def _sharing(settings: Settings) -> Iterator[Complaint]:
    names = ("exclusive", "oversubscribe")
    if not all(map(settings.by_user, names)):
        return
    if settings.since(_SHARE):
        said = "--exclusive and --oversubscribe options are mutually exclusive"
        yield about(settings, names, _EXCLUSIVE, said)
        return
    order = [use.spec.long for use in settings.request.uses if use.spec.long in names]
    loser, winner = (name for name in sorted(names, key=lambda one: order[::-1].index(one), reverse=True))
    detail = f"of the two the last one counts: --{winner}"
    yield about(
        settings, (loser, winner), ComplaintKind.OPTION_WITHOUT_EFFECT, effect=Effect.IGNORED, detail=detail
    )


def _specialised_cores(settings: Settings) -> Iterator[Complaint]:
    names = ("core-spec", "thread-spec")
    if not all(map(settings.given, names)) or not settings.since(_SPECIALISED):
        return
    if all(map(settings.by_user, names)):
        said = "-S/--core-spec and --thred-spec options are mutually exclusive"
        yield about(settings, names, _EXCLUSIVE, said)
    elif all(map(settings.by_environment, names)):
        said = (
            "Both --core-spec and --thread-spec set using environment variables. "
            "Those options are mutually exclusive."
        )
        yield about(settings, names, _EXCLUSIVE, said)


def _gpus_per_node(settings: Settings) -> Iterator[Complaint]:
    names = ("gpus-per-node", "gres")
    gres = settings.value("gres", GresRequest)
    if gres is None or not settings.given("gpus-per-node"):
        return
    if not any(item.name.startswith("gpu") for item in gres.items):
        return
    if settings.since(_GRES):
        yield about(settings, names, _EXCLUSIVE, "--gpus-per-node and --gres=gpu are mutually exclusive.")


def _cpus_per_gpu(settings: Settings) -> Iterator[Complaint]:
    if not settings.given("cpus-per-gpu"):
        return
    tres = settings.value("tres-per-task", TresRequest)
    of_tres = tres is not None and tres.cpus is not None
    names = tuple(
        name
        for name, counts in (("cpus-per-task", True), ("tres-per-task", of_tres))
        if counts and settings.given(name)
    )
    if not names:
        return
    if not settings.since(_CPUS_PER_GPU):
        said = (
            "--cpus-per-gpu is mutually exclusive with --cpus-per-task\n"
            "Invalid generic resource (gres) specification"
        )
        if settings.since(_CHECKS_GPUS) and not settings.given("clusters"):
            yield about(settings, ("cpus-per-gpu", *names), _EXCLUSIVE, said)
        return
    user = any(map(settings.by_user, names)) and settings.by_user("cpus-per-gpu")
    variable = any(map(settings.by_environment, names)) and settings.by_environment("cpus-per-gpu")
    if user or variable:
        said = "--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive"
        yield about(settings, ("cpus-per-gpu", *names), _EXCLUSIVE, said)


def _per_task(settings: Settings) -> Iterator[Complaint]:
    """``--tres-per-task`` may not say what ``--gpus-per-task`` or ``-c`` says already."""
    tres = settings.value("tres-per-task", TresRequest)
    if tres is None or not settings.since(_TRES) or not settings.by_user("tres-per-task"):
        return
    kind = ComplaintKind.TASK_RESOURCES
    said = "You can not have --tres-per-task={}= and --{} please use one or the other"
    use = settings.use("tres-per-task")
    seen = settings.since(_TRES_EQUALS) or "cpu:" in ((use and use.value) or "").lower()
    if tres.cpus is not None and seen and settings.by_user("cpus-per-task"):
        yield about(settings, ("tres-per-task", "cpus-per-task"), kind, said.format("cpu", "cpus-per-task"))
    gpus = settings.value("gpus-per-task", GresRequest)
    if gpus is None or not settings.by_user("gpus-per-task"):
        return
    wanted = {(item.name, item.type) for item in tres.gres.items}
    if any((item.name, item.type) in wanted for item in gpus.items):
        yield about(
            settings, ("tres-per-task", "gpus-per-task"), kind, said.format("gres/gpu", "gpus-per-task")
        )


def _arbitrary(settings: Settings) -> Iterator[Complaint]:
    use = settings.use("distribution")
    if use is None or not (use.value or "").lower().startswith("arbitrary"):
        return
    if settings.by_user("nodes") and settings.since(_ARBITRARY):
        said = "--nodes is incompatible with --distribution=arbitrary"
        yield about(settings, ("distribution", "nodes"), _EXCLUSIVE, said)
    if not settings.given("nodelist") and not settings.given("nodefile"):
        kind = ComplaintKind.NO_HOSTS_FOR_ARBITRARY
        said = "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option"
        yield about(settings, ("distribution",), kind, said)


def _burst_buffer(settings: Settings) -> Iterator[Complaint]:
    if settings.given("bb") and settings.given("bbf"):
        yield about(settings, ("bb", "bbf"), _EXCLUSIVE, "Cannot specify both --burst-buffer and --bbf")


def _requeue(settings: Settings) -> Iterator[Complaint]:
    names = ("requeue", "no-requeue")
    if not all(map(settings.by_user, names)):
        return
    order = [use.spec.long for use in settings.request.uses if use.spec.long in names]
    winner = order[-1]
    loser = next(name for name in names if name != winner)
    yield about(
        settings,
        (loser, winner),
        ComplaintKind.OPTION_WITHOUT_EFFECT,
        effect=Effect.IGNORED,
        detail=f"of the two the last one counts: --{winner}",
    )


def _mail(settings: Settings) -> Iterator[Complaint]:
    if not settings.by_user("mail-user") or settings.given("mail-type") or settings.doubtful(("mail-type",)):
        return
    kind, detail = ComplaintKind.OPTION_WITHOUT_EFFECT, "--mail-user has no effect without --mail-type"
    yield about(settings, ("mail-user",), kind, effect=Effect.IGNORED, detail=detail)


def overrules_hint(settings: Settings) -> bool:
    """Tell whether a directive or the command line says more closely what ``--hint`` is about."""
    return _rivals_hint(settings, settings.by_user)


def ignores_hint(settings: Settings) -> bool:
    """Tell whether sbatch drops ``--hint``, or has none."""
    if not settings.given("hint"):
        return True
    stronger = overrules_hint(settings)
    if settings.by_user("hint"):
        return stronger
    return stronger or _rivals_hint(settings, settings.by_environment)


def _rivals_hint(settings: Settings, is_set: Callable[[str], bool]) -> bool:
    """Tell whether an option that *is_set* holds for is stronger than ``--hint``."""
    later = any(map(is_set, _STRONGER_LATER))
    return any(map(is_set, _STRONGER_THAN_HINT)) or (later and settings.since(_HINT_LATER))


def _hint(settings: Settings) -> Iterator[Complaint]:
    if not settings.given("hint") or not ignores_hint(settings):
        return
    names = _STRONGER_THAN_HINT + (_STRONGER_LATER if settings.since(_HINT_LATER) else ())
    rivals = tuple(name for name in names if settings.given(name))
    kind = ComplaintKind.OPTION_WITHOUT_EFFECT
    detail = f"--hint has no effect beside --{rivals[0]}"
    yield about(settings, ("hint", *rivals), kind, effect=Effect.IGNORED, detail=detail)
