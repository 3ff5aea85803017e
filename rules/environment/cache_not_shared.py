"""SB601 cache-not-shared."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.api import (
    Certainty,
    Confidence,
    Finding,
    Job,
    Locality,
    Owner,
    Preparation,
    Program,
    Related,
    Rule,
    Severity,
    Span,
    Step,
    Text,
    Value,
    dataclass,
    fills,
    is_kept_back,
    locality_of,
    mentions,
    prepares_on_one_rank,
    reads_settings,
    regex,
    step_that_warms_uv,
    uv_installs,
)

_NEMO = ("NEMO_DATASETS_CACHE", "NEMO_HOME")
"""Where Bridge keeps data sets; the first one that is set decides."""
_HUGGING_FACE = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE")
_UV = "UV_CACHE_DIR"
_DEFAULT = Value((Text("/root/.cache"),))
"""Where caches are in a container unless a variable says otherwise."""
_NEMO_IMAGE = regex(r"(?i)nvcr\.io[#/]nvidia/nemo[:/]|(?:^|/)(?:nvidia\+)?nemo[-_+]2\d\.\d\d")
_FINE_TUNING = regex(r"(?i)(?<![a-z])(sft|peft|fine[-_]?tun|lora)")
_BRIDGE = regex(r"(?i)megatron[-_.]bridge|(^|/)run_recipe\.py")
_TROUBLE = "the job ends with \"TypeError: 'NoneType' object is not an iterator\""
_OUTSIDE = "unless it is exported by the shell that submits, or the site mounts the home folder"


@dataclass(frozen=True)
class _Place:
    """A program of a step on several nodes, with what is known of the step."""

    job: Job
    step: Step
    program: Program
    nodes: int
    sure: bool
    """True where the number of nodes is certain and the program is sure to be started."""

    def value(self, name: str) -> Value | None:
        """What the script gives the variable for the program; None where srun may give another."""
        exports = self.step.get("export")
        if exports is not None and exports.value is not None and name in exports.value.show():
            return None
        return self.program.environment.get(name) or None

    def span(self, name: str) -> Span:
        """Where the variable is set."""
        found = self.program.environment_spans.get(name)
        value = self.program.environment.get(name)
        return found or (value.span if value is not None else None) or self.step.span

    def local(self, name: str) -> Locality | None:
        """Who has the folder that the variable names to himself."""
        value = self.value(name)
        return None if value is None else locality_of(value, self.step.container)

    def defaults_to_container(self, *names: str) -> bool:
        """Whether a cache lies inside the container because nothing in the script sets *names*."""
        container = self.step.container
        if container is None or container.mounts_home or locality_of(_DEFAULT, container) is None:
            return False
        named = [name for name in names if not is_kept_back(self.job, name)]
        return not mentions(self.job, *named, "ENROOT_MOUNT_HOME") and not reads_settings(self.job)


class CacheNotShared(Rule):
    r"""A cache that all nodes of a job should share is local to each node or container.

    ## Why
    Megatron-Bridge lets one rank prepare the data of an SFT or PEFT run, packed sequences above all, under
    `NEMO_HOME` (or `NEMO_DATASETS_CACHE`), and all ranks read them there.  Where that folder is in `/tmp` or
    inside the container, the other nodes find nothing: "TypeError: 'NoneType' object is not an iterator".
    Its default, `~/.cache/nemo`, is inside the container too.  With `HF_HOME` or `UV_CACHE_DIR` the job runs,
    yet every node fetches its own copy, and what one step has fetched the next one does not find.

    ## Example
    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf
    export NEMO_HOME=/tmp/nemo  # finding here
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home \
      python /opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe llama3_8b_sft_config \
      dataset.enable_offline_packing=true
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf
    export NEMO_HOME=/lustre/cache/nemo
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home \
      python /opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe llama3_8b_sft_config \
      dataset.enable_offline_packing=true
    ```

    The default, which nothing is mounted over:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home \
      python /opt/Megatron-Bridge/scripts/training/run_recipe.py \
      --recipe llama3_8b_peft_config --pretrained_checkpoint /lustre/llama3_8b  # finding here
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf NEMO_DATASETS_CACHE=/lustre/cache/nemo/datasets
    srun --container-image=/images/nemo.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home \
      python /opt/Megatron-Bridge/scripts/training/run_recipe.py \
      --recipe llama3_8b_peft_config --pretrained_checkpoint /lustre/llama3_8b
    ```

    A cache that one node fills for the others, while the image names its own:

    ```sbatch bad
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf
    export UV_CACHE_DIR=/lustre/cache/uv  # finding here
    IMAGE=/images/nemo-25.09.sqsh
    srun -N1 -n1 --ntasks-per-node=1 --container-image=$IMAGE --container-mounts=/lustre:/lustre uv sync
    srun --container-image=$IMAGE --container-mounts=/lustre:/lustre --no-container-mount-home \
      uv run python train.py
    ```

    ```sbatch good
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=8
    #SBATCH --gpus-per-node=8
    export HF_HOME=/lustre/cache/hf
    export UV_CACHE_DIR=/lustre/cache/uv
    IMAGE=/images/nemo-25.09.sqsh
    srun -N1 -n1 --ntasks-per-node=1 --container-image=$IMAGE --container-mounts=/lustre:/lustre \
      --container-env=UV_CACHE_DIR uv sync
    srun --container-image=$IMAGE --container-mounts=/lustre:/lustre --container-env=UV_CACHE_DIR \
      --no-container-mount-home uv run python train.py
    ```

    ## What it can't know
    What the submitting shell exports, and what the site mounts into every container: only a folder that is
    certainly each node's own, for data that are certainly packed, is an error.  A variable that the script
    mentions but does not set is taken to come from outside.  Hugging Face and uv caches on each node's own
    disk are a remark: they cost downloads, not the job.  Caches that belong on the node
    (`TRITON_CACHE_DIR`, `TORCHINDUCTOR_CACHE_DIR`, `TMPDIR`) are none of this rule's business, nor are steps
    on one node, nor folders that a step fills on every node before.

    ## References
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: src/megatron/bridge/data/builders/gpt_sft.py (`build`),
      data/datasets/gpt_sft.py (`NEMO_DATASETS_CACHE`), recipes/common.py (`_sft_common`, `_peft_common`)
    - NVIDIA-NeMo/Megatron-Bridge@067f987d: docker/Dockerfile.fw_base (`UV_CACHE_DIR=/opt/uv_cache`)
    - NVIDIA/pyxis: README.md (`--container-env`), pyxis_slurmstepd.c (`spank_import_container_env`)
    - huggingface_hub/constants.py (`HF_HOME`); https://docs.astral.sh/uv/concepts/cache/
    """

    code = "SB601"
    name = "cache-not-shared"
    severity = Severity.ERROR

    def check(self, job: Job) -> Iterator[Finding]:
        seen: set[object] = set()
        for place in _places(job):
            for finding in (*self._nemo(place), *self._hugging_face(place), *self._uv(place)):
                # What is not set is missing once, however many steps would need it.
                key = finding.message if "in this script" in finding.message else finding.span
                if key not in seen:
                    seen.add(key)
                    yield finding

    # --- data that one rank prepares ---------------------------------------------------------------

    def _nemo(self, place: _Place) -> Iterator[Finding]:
        preparation = prepares_on_one_rank(place.program)
        name = next((one for one in _NEMO if place.program.environment.get(one)), None)
        if name is None:
            if preparation is not None:
                yield from self._nemo_unset(place, preparation)
            return
        local, value = place.local(name), place.value(name)
        if local is None or value is None or fills(place.job, value) or not _is_program(place.program):
            return
        packed = preparation is not None and preparation.packed
        certain = local.certain and place.sure and packed
        tuning = preparation is not None or _may_tune(place.program)
        data = "packed data" if packed else "data that one rank prepares" if tuning else "others' data"
        yield self.finding(
            place.span(name),
            f"the nodes will not find the {data}: {name}={value.show()} is {_owned(local)}",
            label="not shared",
            related=_related(place, local, preparation),
            help=_advice(name, value, local),
            notes=(_TROUBLE,) if tuning else (),
            severity=Severity.ERROR if certain else Severity.WARNING if tuning else Severity.INFO,
            confidence=Confidence.HIGH if certain else Confidence.MEDIUM,
        )

    def _nemo_unset(self, place: _Place, preparation: Preparation) -> Iterator[Finding]:
        if not place.defaults_to_container(*_NEMO):
            return
        missing = "exported" if is_kept_back(place.job, "NEMO_HOME") else "set"
        yield self.finding(
            preparation.span or place.step.span,
            "nodes other than the first may not find the data that one rank prepares: "
            f"NEMO_HOME is not {missing} in this script",
            label="prepared by one rank, read by all",
            related=_related_container(place, "it defaults to ~/.cache/nemo inside this container"),
            help="export NEMO_HOME (or NEMO_DATASETS_CACHE) with a folder on shared storage and mount it",
            notes=(_TROUBLE, _OUTSIDE),
            severity=Severity.WARNING,
            confidence=Confidence.MEDIUM,
        )

    # --- downloads ------------------------------------------------------------------------------------

    def _hugging_face(self, place: _Place) -> Iterator[Finding]:
        if not _is_program(place.program):
            return
        if not any(place.program.environment.get(name) for name in _HUGGING_FACE):
            yield from self._hugging_face_unset(place)
        for name in _HUGGING_FACE:
            local, value = place.local(name), place.value(name)
            if local is None or value is None or fills(place.job, value):
                continue
            thrown_away = local.owner is Owner.CONTAINER
            setting = f"{name}={value.show()} is {_owned(local)}"
            yield self.finding(
                place.span(name),
                f"each of {place.nodes} nodes will download its own copy: {setting}",
                label="not shared",
                related=_related(place, local, None),
                help=_advice(name, value, local),
                notes=("and again in every job: the container is thrown away",) if thrown_away else (),
                severity=Severity.WARNING if thrown_away and local.certain and place.sure else Severity.INFO,
                confidence=Confidence.HIGH if local.certain else Confidence.MEDIUM,
            )
            return

    def _hugging_face_unset(self, place: _Place) -> Iterator[Finding]:
        container = place.step.container
        told = container is not None and container.mounts_home is False
        if not told or not _is_bridge(place.program):
            return
        if not place.defaults_to_container(*_HUGGING_FACE, "XDG_CACHE_HOME"):
            return
        yield self.finding(
            place.program.target_span or place.step.span,
            f"each of {place.nodes} nodes may download its own copy of model and data: "
            "HF_HOME is not set in this script",
            label="reads from the Hugging Face hub",
            related=_related_container(place, "it defaults to ~/.cache/huggingface inside this container"),
            help="export HF_HOME with a folder on shared storage and mount it",
            notes=(_OUTSIDE,),
            severity=Severity.INFO,
            confidence=Confidence.LOW,
        )

    def _uv(self, place: _Place) -> Iterator[Finding]:
        value = place.value(_UV)
        if value is None or not uv_installs(place.program):
            return
        local = place.local(_UV)
        overruled = local is None and _image_overrules(place)
        if local is None and not overruled:
            return
        warming = step_that_warms_uv(place.job, place.step) if place.step.container is not None else None
        related = [] if warming is None else [Related(warming.span, "what this step fetches is lost")]
        if local is not None:
            message = f"what uv fetches on one node the others lack: {_UV}={value.show()} is {_owned(local)}"
            related += _related(place, local, None)
        else:
            message = f"uv will not use {_UV}={value.show()}: the image's own, /opt/uv_cache, wins"
            related += _related_container(place, "variables of the image win over exported ones")
        yield self.finding(
            place.span(_UV),
            message,
            label="not shared" if local is not None else "not what the steps see",
            related=related,
            help=_advice(_UV, value, local) if local is not None else f"add --container-env={_UV} to srun",
            severity=Severity.INFO if warming is None else Severity.WARNING,
            confidence=Confidence.MEDIUM,
        )


def _places(job: Job) -> Iterator[_Place]:
    """The programs of the steps that run on several nodes."""
    for step in job.plan.steps:
        nodes = step.geometry.nodes
        if nodes is None or nodes.value < 2 or step.nested:
            continue
        for program in step.programs:
            doubtful = step.doubtful or program.doubtful
            sure = nodes.certainty is Certainty.KNOWN and not doubtful and not program.code_incomplete
            yield _Place(job, step, program, nodes.value, sure)


def _owned(local: Locality) -> str:
    return "each node's own" if local.owner is Owner.NODE else "inside the container"


def _advice(name: str, value: Value, local: Locality) -> str:
    path = value.text or ""
    if local.owner is Owner.CONTAINER and path.startswith("/") and not path.startswith("/root"):
        return f"mount the folder (--container-mounts={path}) if it is on shared storage"
    mount = " and mount it" if local.owner is Owner.CONTAINER else ""
    return f"set {name} to a folder on shared storage{mount}"


def _related(place: _Place, local: Locality, preparation: Preparation | None) -> list[Related]:
    related = []
    if preparation is not None and preparation.span is not None:
        related.append(Related(preparation.span, "prepared by one rank, read by all"))
    if local.mount is not None:
        related.append(Related(local.mount, "mounted from each node's own disk"))
    elif local.owner is Owner.CONTAINER:
        related += _related_container(place, "nothing is mounted there")
    return related


def _related_container(place: _Place, message: str) -> list[Related]:
    container = place.step.container
    return [] if container is None or container.span is None else [Related(container.span, message)]


def _is_program(program: Program) -> bool:
    """Whether the program is more than a tool of the system: a Python program or a script."""
    named = (program.name or "").endswith((".py", ".sh"))
    return named or program.has_layer("python", "uv") or bool(program.launchers)


def _may_tune(program: Program) -> bool:
    """Whether the names of a program that is not Bridge's speak of fine-tuning."""
    words = (program.target, *(argument.value for argument in program.arguments))
    return not _is_bridge(program) and any(_FINE_TUNING.search(word.show()) for word in words)


def _is_bridge(program: Program) -> bool:
    return bool(_BRIDGE.search(program.target.show()))


def _image_overrules(place: _Place) -> bool:
    """Whether the image has a UV_CACHE_DIR of its own that wins over the batch shell's.

    Pyxis lets what the image sets win; what a command inside the container sets comes later still.
    """
    container = place.step.container
    if container is None or container.runtime != "pyxis" or _UV in container.kept_variables:
        return False
    if not _NEMO_IMAGE.search(container.image.text or ""):
        return False
    span = place.program.environment_spans.get(_UV)
    if span is None:
        return False
    line = place.job.source.line(place.job.source.position(span.start).line).lstrip()
    return line.startswith((f"export {_UV}=", f"{_UV}="))
