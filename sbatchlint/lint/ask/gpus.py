"""Whether a program needs a GPU, and whether the job could have one without asking."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sbatchlint.launch.plan import Layer, LayerKind, Program, Step
from sbatchlint.lint.ask.launchers import PER_NODE_LAUNCHERS, command_name, processes_of
from sbatchlint.lint.ask.numbers import number_of
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.values import gpu_count, task_gpus, tres_gpus
from sbatchlint.source import Span

_GPU_OPTIONS = (
    "gpus gpus-per-node gpus-per-socket gpus-per-task gres ntasks-per-gpu ntasks-per-tres tres-per-task "
    "cpus-per-gpu mem-per-gpu tres-bind gpu-bind".split()
)
_GPU_NAME = regex(
    r"(?i)gpu|dgx|hgx|cuda|nvidia|mi[23]\d\d|h[12]00|gh200|a100|a[34]0(?!\d)|v100|p100|k80|l40|rtx|tesla|grace|gb?[23]00"
)
_CPU_NAME = regex(r"(?i)(^|[^a-z])cpu")
_CPU_WORDS = regex(
    r"(?i)(^|[=\s-])(cpu|use[-_]cpu|no[-_]cuda|gloo|tpu|hpu|xpu)($|[\s:])|neuron|cpu[-_]?only|(gaudi|habana)|"
    r"device[-_ ]?(type)?[= ]cpu|accelerator[= ]cpu"
)
_CPU_SCRIPTS = regex(r"(?i)preprocess|tokeni[sz]e|download|(^|[^a-z])cpu|convert|merge|prepare|dataset")
_CPU_VARIABLES = {
    "CUDA_VISIBLE_DEVICES": ("", "-1"),
    "ACCELERATE_USE_CPU": ("1", "true", "yes"),
    "JAX_PLATFORMS": ("cpu",),
    "DS_ACCELERATOR": ("cpu",),
}
_MEGATRON = regex(
    r"(pretrain_(gpt|hybrid|mamba|vlm|bert|t5|retro)|train_rl|run_recipe|run_script)\.py|"
    r"(pretrain|finetune)_(gpt|llama|bert|t5|nemotron\w*|qwen\w*)\.py|hf_to_megatron_generate\w*\.py"
)
_CUDA_ARGUMENT = regex(r"(?:--|\+{0,2}(?:\w{1,60}\.)?)(?:device|accelerator)(?:=| )(?:cuda|gpu)(?::\d+)?")
_GPU_FLAGS = {
    "apptainer": ("nv", "nvccli", "rocm"),
    "singularity": ("nv", "nvccli", "rocm"),
    "docker": ("gpus",),
    "podman": ("gpus",),
    "podman-hpc": ("gpu", "gpus"),
}


@dataclass(frozen=True, slots=True)
class GpuNeed:
    """A program that does nothing useful without a GPU."""

    what: str
    """What shows it, as a person would write it."""
    span: Span
    each_node: int | None
    """How many GPUs of each node it uses, where that is told."""


def gpu_need(program: Program, step: Step | None) -> GpuNeed | None:
    """What shows that *program* needs a GPU; None for nothing, or for a sign that it does without."""
    if program.span is None or _runs_on_cpus(program):
        return None
    for layer in program.layers:
        found = _by_layer(program, layer)
        if found is not None:
            return found
    return _by_program(program, step)


def _runs_on_cpus(program: Program) -> bool:
    for name, values in _CPU_VARIABLES.items():
        value = program.environment.get(name)
        if value is not None and (value.text is None or value.text.lower() in values):
            return True
    if any(program.environment.names_where(_of_other_devices)):
        return True
    if _CPU_SCRIPTS.search(program.target.show().rsplit("/", 1)[-1]):
        return True
    words = " ".join(word.value.show() for word in (*program.words, *program.arguments))
    return bool(_CPU_WORDS.search(words)) or any(
        layer.get("cpu", "use-cpu", "ipex") for layer in program.layers
    )


def _of_other_devices(name: str) -> bool:
    return name.startswith(("NEURON_", "HABANA_", "TPU_"))


def _of_nccl(name: str) -> bool:
    return name.startswith("NCCL_")


def _by_layer(program: Program, layer: Layer) -> GpuNeed | None:
    place = layer.span or program.span
    if place is None:
        return None
    if layer.kind is LayerKind.CONTAINER:
        flag = layer.get(*_GPU_FLAGS.get(layer.name, ()))
        if flag is None or not flag.certain:
            return None
        dashes = "-" if len(flag.name) == 1 else "--"
        return GpuNeed(f"{layer.name} {dashes}{flag.name}", flag.arg.place or place, None)
    if layer.kind is not LayerKind.LAUNCHER:
        return None
    if layer.name == "deepspeed":
        told = number_of(layer.get("num-gpus"))
        return GpuNeed("deepspeed", place, told.value or None if told is not None else None)
    return _of_processes(program, layer, place) if layer.name in PER_NODE_LAUNCHERS else None


def _of_processes(program: Program, layer: Layer, place: Span) -> GpuNeed | None:
    processes = processes_of(layer)
    command = command_name(program, layer)
    if processes.all_gpus and processes.option is not None:
        text = processes.option.value.show() if processes.option.value is not None else ""
        return GpuNeed(f"{command} --nproc_per_node={text}", place, None) if text == "gpu" else None
    several = processes.number is not None and processes.number > 1
    if several and processes.option is not None:
        shown = processes.option.value.show() if processes.option.value is not None else ""
        option = "num_processes" if layer.name == "accelerate" else "nproc_per_node"
        return GpuNeed(f"{command} --{option}={shown}", place, processes.number)
    if layer.name == "accelerate" and layer.get("multi-gpu") is not None:
        return GpuNeed(f"{command} --multi_gpu", place, None)
    if processes.number is None and any(program.environment.names_where(_of_nccl)):
        return GpuNeed(f"{command} with NCCL", place, None)
    return None


def _by_program(program: Program, step: Step | None) -> GpuNeed | None:
    place = program.target_span or program.span
    name = program.name or ""
    if place is None:
        return None
    if name == "nvidia-smi":
        return GpuNeed("nvidia-smi", place, None) if step is not None else None
    tasks = step.geometry.tasks_per_node if step is not None else None
    each = tasks.value if tasks is not None else None
    words = [argument.value.show() for argument in program.arguments]
    if _MEGATRON.fullmatch(name) or (name.endswith(".py") and "--tensor-model-parallel-size" in words):
        return GpuNeed(name, place, each)
    cuda = _CUDA_ARGUMENT.search(" ".join(words)) if _is_python(program) else None
    return GpuNeed(f"{name} {cuda.group()}", place, each) if cuda is not None else None


def _is_python(program: Program) -> bool:
    return (program.name or "").endswith(".py") or program.has_layer("python")


def asks_for_gpus(step: Step) -> bool:
    """Whether the step's own line asks for GPUs, or may do so in words that are not known."""
    return not step.options_complete or any(option.name in _GPU_OPTIONS for option in step.options)


_NAMED = ("partition", "constraint", "qos", "reservation", "nodelist", "account", "clusters")
"""Options whose values are names that a site chooses, perhaps after the GPUs that they bring."""


def allocates_without_gpus(step: Step) -> bool:
    """Whether a typed srun seems to ask for a job of its own, and for no GPU in it.

    Only a line that asks for a job has a use for ``--partition``, ``--account`` or ``--qos``.  A name that
    sounds of GPUs or of CPUs is an answer.
    """
    if asks_for_gpus(step) or step.get("exclusive") is not None or step.get("jobid") is not None:
        return False
    values = [
        option.value.show() for name in _NAMED if (option := step.get(name)) and option.value is not None
    ]
    if any(_GPU_NAME.search(value) or _CPU_NAME.search(value) for value in values):
        return False
    return any(step.get(name) is not None for name in ("partition", "account", "qos"))


def gpus_per_task(job: Job, step: Step) -> int | None:
    """How many GPUs each task of *step* is given by its own options or the job's; None where not told."""
    for name, reader in (("gpus-per-task", task_gpus), ("tres-per-task", tres_gpus)):
        own = step.get(name)
        if own is not None:
            text = own.value.text if own.value is not None and own.certain else None
            return reader(text) if text is not None else None
    count = job.request.gpus_per_task
    return count.value if count is not None else None


def unasked_gpus(job: Job) -> Iterator[str]:
    """What makes it plausible that the nodes give their GPUs without being asked.

    ``--exclusive`` and ``--mem=0`` take whole nodes, which is all there is to ask for on a cluster
    without GRES; partitions, features and the like may be called after the GPUs that they bring.
    """
    request = job.request
    memory = request.get("mem")
    if request.get("exclusive") is not None:
        yield "--exclusive"
    if memory is not None and memory.value == "0":
        yield "--mem=0"
    for name in _NAMED:
        use = request.get(name)
        if use is not None and _GPU_NAME.search(use.value or ""):
            yield f"--{name}={use.value}"


def meant_for_cpus(job: Job) -> bool:
    """Whether the job names a partition, feature or account of CPUs, or asks for no GPU in so many words."""
    uses = (job.request.get(name) for name in ("partition", "constraint", "qos", "account"))
    return any(use is not None and _CPU_NAME.search(use.value or "") for use in uses) or _asks_for_none(job)


def _asks_for_none(job: Job) -> bool:
    """``--gpus-per-node=0`` and ``--gres=gpu:0`` are answers, not omissions."""
    counted = (
        job.request.get(name) for name in ("gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket")
    )
    if any(use is not None and gpu_count(use.value or "") == 0 for use in counted):
        return True
    gres = job.request.get("gres")
    return gres is not None and _NO_GPU.fullmatch(gres.value or "") is not None


_NO_GPU = regex(r"(?i)none|gpu(:[\w.-]+)?:0")
_PROBE = regex(r"\|\||>\s*/dev/null")
_REST_OF_LINE = regex(r"(?:[^\\\n]|\\.)*", re.DOTALL)


def is_probe(job: Job, need: GpuNeed) -> bool:
    """Whether the script only looks whether there are GPUs, and is ready for none: ``nvidia-smi || true``."""
    line = _REST_OF_LINE.match(job.source.text, need.span.start)
    return need.what == "nvidia-smi" and line is not None and _PROBE.search(line.group()) is not None
