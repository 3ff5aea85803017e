"""The plan of a job in three lines: what it asks for, what it starts, and how that is laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sbatchlint.launch.plan import LayerKind, Program, Step
from sbatchlint.launch.values import Value, last_part
from sbatchlint.report.cells import shown
from sbatchlint.report.job_values import meaning_of_array, meaning_of_time
from sbatchlint.report.plan_containers import containers
from sbatchlint.report.plan_job import NOT_TOLD
from sbatchlint.report.plan_model import PlannedFile, is_telling
from sbatchlint.report.plan_parallelism import told_run
from sbatchlint.report.plan_size import amount, size_of
from sbatchlint.report.plan_step import counted, shown_programs
from sbatchlint.report.plan_words import Speller, bare
from sbatchlint.slurm.geometry import step_geometry
from sbatchlint.slurm.option_use import Count
from sbatchlint.slurm.request import JobRequest
from sbatchlint.training.constraints.grids import DENSE
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.quantities import Reading
from sbatchlint.training.runs import TrainingRun

_MOST = 3
"""So many different things are told in one line; the others are counted."""
_MOST_PROGRAMS = 2
_LONGEST_NAME = 40
_LONGEST_LINE = 200
_EXPERTS = (Quantity.ETP, Quantity.EP)


def submit_plan(file: PlannedFile) -> str:
    """Return the three lines, with their line ends."""
    lines = (("job", _job(file)), ("starts", _starts(file)), ("layout", _layout(file)))
    return "".join(f"{label:7} {_cut(file.mask.text(text), _LONGEST_LINE)}\n" for label, text in lines)


def _cut(text: str, most: int) -> str:
    text = shown(text)
    return text if len(text) <= most else text[: most - 3] + "..."


# --- what it asks for ------------------------------------------------------------------------------


def _job(file: PlannedFile) -> str:
    components = file.request.components
    sizes, rests = [_size(one) for one in components], [_rest(one) for one in components]
    if len(components) == 1:
        return f"{_array(components[0])}{sizes[0]}, {rests[0]}"
    if len(set(rests)) == 1:
        told = f"{_some(sizes, ' + ')}; {rests[0]}"
    else:
        told = _some([f"{size}, {rest}" for size, rest in zip(sizes, rests, strict=True)], "; ")
    return f"{len(components)} components: {told}"


def _array(request: JobRequest) -> str:
    array, spec = request.get("array"), request.array
    if array is None:
        return ""
    return f"array of {meaning_of_array(spec) if spec else array.value}, each "


def _rest(request: JobRequest) -> str:
    """Say what is asked for besides nodes and tasks."""
    partition, time = request.get("partition"), request.get("time")
    name = partition.value if partition and partition.value else NOT_TOLD
    limit = meaning_of_time(request.time_limit) if request.time_limit else time and time.value
    return f"{_gpus(request)}, partition {name}, {limit or f'time limit {NOT_TOLD}'}"


def _size(request: JobRequest) -> str:
    geometry = step_geometry(request, ())
    nodes, tasks, each = geometry.nodes, geometry.tasks, geometry.tasks_per_node
    if each is None:
        return f"{amount(nodes, 'node')}, {amount(tasks, 'task')}"
    product = f" = {amount(tasks, 'task')}" if tasks is not None and tasks.value != each.value else ""
    return f"{amount(nodes, 'node')} x {amount(each, 'task')}{product}"


def _gpus(request: JobRequest) -> str:
    if not request.asks_for_gpus:
        return "no GPUs asked for"
    total, each, nodes = request.gpus, request.gpus_per_node, step_geometry(request, ()).nodes
    if total is None and each is not None and nodes is not None:
        total = nodes.with_value(nodes.value * each.value, each)
    if total is None and each is not None:
        return f"{amount(each, 'GPU')} per node"
    return amount(total, "GPU")


# --- what it starts --------------------------------------------------------------------------------


def _starts(file: PlannedFile) -> str:
    plan, speller = file.plan, Speller(file.mask)
    if file.interpreter:
        return f"{file.interpreter} runs this file, no shell: what it starts is not followed"
    if plan.steps:
        chains = [_step(file, speller, step) for step in plan.steps]
        told = f"{len(chains)} step{'s' * (len(chains) > 1)}: {_some(_counted(chains), '; ')}"
    else:
        told = f"no srun; the batch host starts {_on_host(file, speller)}"
    if plan.submissions:
        count = len(plan.submissions)
        told += f"; submits {count} more job{'s' * (count > 1)}"
    return told + ("; not followed to its end" if plan.incomplete or file.unread else "")


def _on_host(file: PlannedFile, speller: Speller) -> str:
    submitted = {one.span for one in file.plan.submissions}
    programs = [one for one in file.plan.host_programs if one.span not in submitted]
    telling = [one for one in programs if is_telling(one)]
    if telling:
        return _some(_counted(_chain(file, speller, None, one) for one in telling), "; ")
    return counted(speller, programs) or "no program that is known"


def _step(file: PlannedFile, speller: Speller, step: Step) -> str:
    programs = shown_programs(step.programs)
    chains = _counted(_chain(file, speller, step, program) for program in programs)
    more = f" and {len(chains) - _MOST_PROGRAMS} more" if len(chains) > _MOST_PROGRAMS else ""
    target = ", ".join(chains[:_MOST_PROGRAMS]) or "no program that is known"
    return f"srun -> {target}{more}{' (may not run)' if step.doubtful else ''}"


def _chain(file: PlannedFile, speller: Speller, step: Step | None, program: Program) -> str:
    """Say the way to a program: wrappers, launchers with what they multiply by, and its name."""
    size, links = size_of(file.request, step, program), []
    for layer in program.layers:
        if layer.kind in (LayerKind.WRAPPER, LayerKind.LAUNCHER):
            counts = layer is size.launcher
            links.append(layer.name + (f" x{_count(size.processes)}" if counts else ""))
    return " -> ".join([*links, _name(speller, program.target)])


def _count(count: Count | None) -> str:
    return "?" if count is None else str(count.value)


def _name(speller: Speller, value: Value) -> str:
    """Spell the last part of a path, the whole value where it is not known which that is."""
    last = last_part(value)
    return _cut(speller.text(last) if last else bare(speller.plain(value)), _LONGEST_NAME)


# --- how it is laid out ----------------------------------------------------------------------------


def _layout(file: PlannedFile) -> str:
    speller = Speller(file.mask)
    grids: dict[str, None] = {}
    images: dict[str, None] = {}
    for step, program in file.plan.programs():
        run = told_run(file, step, program)
        if run is not None:
            grids[_grid(run)] = None
        images |= dict.fromkeys(_name(speller, one.image) for one in containers(step, program))
    for step in file.plan.steps:
        if step.container is not None:
            images[_name(speller, step.container.image)] = None
    told = _some(list(grids), "; ") or "no sizes of parallelism are told"
    names = _some(list(images), ", ")
    return f"{told}, {'container ' + names if names else 'no container'}"


def _grid(run: TrainingRun) -> str:
    layout = run.layout
    experts = [layout[one] for one in _EXPERTS if layout[one].told and layout[one].value != 1]
    context = [one for one in (layout[Quantity.CP],) if one.told and one.value != 1]
    dense = [layout[one] for one in DENSE if one is not Quantity.CP]
    text = " x ".join(map(_quantity, [*dense, *context, layout.dp]))
    return f"{text}, {' x '.join(map(_quantity, experts))}" if experts else text


def _quantity(reading: Reading) -> str:
    return f"{reading.quantity.symbol} {'|'.join(map(str, reading.values)) or '?'}"


# --- lists -----------------------------------------------------------------------------------------


def _counted(texts: Iterable[str]) -> list[str]:
    """Return each text once, with the number of times that it stands there."""
    counts = Counter(texts)
    return [text if count == 1 else f"{count} x ({text})" for text, count in counts.items()]


def _some(texts: Sequence[str], separator: str) -> str:
    """Join the first few; count the others."""
    return separator.join(_first(texts))


def _first(texts: Sequence[str]) -> Iterator[str]:
    yield from texts[:_MOST]
    if len(texts) > _MOST:
        yield f"and {len(texts) - _MOST} more"


__all__ = ["submit_plan"]
