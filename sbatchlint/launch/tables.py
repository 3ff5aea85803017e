"""Commands that start other commands, as data: adding a launcher is adding a row.

Options are written as their manual pages write them; names are compared with ``_`` and ``-`` alike
where ``underscores`` is set (Python's launchers accept both).
"""

from __future__ import annotations

from dataclasses import dataclass

from sbatchlint.launch.plan import LayerKind


@dataclass(frozen=True, slots=True)
class CommandTable:
    """How one command's line is read."""

    name: str
    kind: LayerKind
    valued: frozenset[str] = frozenset()
    """Options that take the next word as their value, if it is not glued."""
    operands: int = 0
    """How many operands stand before the command that is started (``timeout 10 CMD``)."""
    subcommands: frozenset[str] = frozenset()
    """If not empty: one of these words comes first, or the command starts nothing that is followed."""
    assignments: bool = False
    """True for ``env``: ``NAME=value`` operands come first."""
    underscores: bool = False
    module_options: frozenset[str] = frozenset()
    """Options after which the target is a module's name (``-m``)."""
    module_flags: frozenset[str] = frozenset()
    """Options that make the first operand a module's name."""
    program_flags: frozenset[str] = frozenset()
    """Options that make the first operand a program of its own (``--no-python``)."""
    image_operand: bool = False
    """True where the first operand is a container image."""
    code_options: frozenset[str] = frozenset()
    """Options whose value is a program text: there is no other target (``python -c``)."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _wrapper(name: str, valued: str = "", operands: int = 0, subcommands: str = "") -> CommandTable:
    return CommandTable(name, LayerKind.WRAPPER, _words(valued), operands, _words(subcommands))


_WRAPPERS = (
    CommandTable(
        "env",
        LayerKind.WRAPPER,
        _words("-u --unset -C --chdir -S --split-string"),
        assignments=True,
    ),
    _wrapper("exec", "-a"),
    _wrapper("command"),
    _wrapper("builtin"),
    _wrapper("coproc"),
    _wrapper("time", "-f --format -o --output"),
    _wrapper("timeout", "-k --kill-after -s --signal", operands=1),
    _wrapper("nohup"),
    _wrapper("setsid"),
    _wrapper("nice", "-n --adjustment"),
    _wrapper("ionice", "-c --class -n --classdata -p --pid"),
    _wrapper("chrt", "-T -P -D -p", operands=1),
    _wrapper("numactl", "-i --interleave -p --preferred -m --membind -N --cpunodebind -C --physcpubind -P"),
    _wrapper("taskset", "-c --cpu-list", operands=1),
    _wrapper("stdbuf", "-i --input -o --output -e --error"),
    _wrapper("unbuffer"),
    _wrapper("sudo", "-u --user -g --group -C -h -p -r -t"),
    _wrapper("strace", "-o -e -p -s -u -P -E -a -I -O -S -X"),
    _wrapper("likwid-pin", "-c"),
    _wrapper("dplace", "-s -x -c -n -o -r"),
    _wrapper(
        "nsys",
        "-o --output -t --trace -s --sample -c --capture-range --capture-range-end -x --stop-on-exit -y "
        "--delay -d --duration -w --show-output -n --inherit-environment -e --env-var --cuda-memory-usage "
        "--cuda-graph-trace --gpu-metrics-device --gpu-metrics-devices --nic-metrics --session-new -f "
        "--force-overwrite --export --stats --kill --wait -p --nvtx-capture --cudabacktrace "
        "--python-sampling --python-backtrace --backtrace --sampling-period --cpuctxsw --gpuctxsw --pytorch "
        "--mpi-impl",
        subcommands="profile launch",
    ),
    _wrapper(
        "ncu",
        "-o --export -k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics -f "
        "--target-processes --nvtx-include --nvtx-exclude --replay-mode --log-file --devices",
    ),
    _wrapper(
        "uv",
        "--with --with-editable --with-requirements --extra --no-extra --group --no-group --only-group -p "
        "--python --env-file --package --project --directory --index --default-index --index-url -i "
        "--extra-index-url --find-links -f --cache-dir --config-file --config-setting --link-mode "
        "--resolution --prerelease --refresh-package --reinstall-package --upgrade-package -P --color "
        "--no-build-package --no-binary-package --python-preference --keyring-provider "
        "--allow-insecure-host --exclude-newer",
        subcommands="run",
    ),
    _wrapper("poetry", "-C --directory -P --project", subcommands="run"),
    _wrapper("pixi", "-e --environment --manifest-path", subcommands="run"),
    _wrapper("pdm", "-p --project", subcommands="run"),
    _wrapper("hatch", "-e --env", subcommands="run"),
    _wrapper("conda", "-n --name -p --prefix --cwd", subcommands="run"),
    _wrapper("mamba", "-n --name -p --prefix --cwd", subcommands="run"),
    _wrapper("micromamba", "-n --name -p --prefix --cwd", subcommands="run"),
    _wrapper("trtllm-llmapi-launch"),
    _wrapper("with-contenv"),
)

_APPTAINER = _words(
    "-B --bind --mount --pwd --cwd -W --workdir -H --home --env --env-file -o --overlay -S --scratch --app "
    "--network --network-args --hostname --security --add-caps --drop-caps --apply-cgroups --dns --fusemount "
    "--pem-path --cpus --memory --fakeroot-binds --blkio-weight --shm-size"
)
_DOCKER = _words(
    "-v --volume -e --env --env-file -w --workdir --name --mount --gpus --shm-size --ipc --network --net -u "
    "--user --entrypoint --device --ulimit -p --publish --runtime --cap-add --security-opt -h --hostname "
    "--add-host --memory -m --cpus --cpuset-cpus -l --label --tmpfs --pid --userns --platform --restart "
    "--group-add"
)
_CONTAINERS = (
    *(
        CommandTable(
            name,
            LayerKind.CONTAINER,
            _APPTAINER,
            subcommands=_words("exec run shell"),
            image_operand=True,
        )
        for name in ("apptainer", "singularity")
    ),
    *(
        CommandTable(name, LayerKind.CONTAINER, _DOCKER, subcommands=_words("run"), image_operand=True)
        for name in ("docker", "podman", "podman-hpc")
    ),
    CommandTable(
        "enroot",
        LayerKind.CONTAINER,
        _words("-m --mount -e --env -c --conf --rc"),
        subcommands=_words("start"),
        image_operand=True,
    ),
    CommandTable(
        "shifter", LayerKind.CONTAINER, _words("-i --image -V --volume -e --env -w --workdir -m --module")
    ),
    CommandTable(
        "sarus",
        LayerKind.CONTAINER,
        _words("--mount -w --workdir -e --env"),
        subcommands=_words("run"),
        image_operand=True,
    ),
)

_TORCHRUN = _words(
    "--nnodes --nproc-per-node --rdzv-backend --rdzv-endpoint --rdzv-id --rdzv-conf --max-restarts "
    "--monitor-interval --start-method --event-log-handler --role --log-dir -r --redirects -t --tee "
    "--local-ranks-filter --node-rank --master-addr --master-port --local-addr --logs-specs --numa-binding "
    "--signals-to-handle --duplicate-stdout-filters --duplicate-stderr-filters --virtual-local-rank-count "
    "--shutdown-timeout"
)


def _torchrun(name: str, extra: str = "") -> CommandTable:
    return CommandTable(
        name,
        LayerKind.LAUNCHER,
        _TORCHRUN | _words(extra),
        underscores=True,
        module_flags=_words("-m --module"),
        program_flags=_words("--no-python"),
    )


_LAUNCHERS = (
    _torchrun("torchrun"),
    _torchrun("torch.distributed.launch"),
    _torchrun(
        "ft_launcher",
        "--fault-tol-cfg-path --ft-param-initial-rank-heartbeat-timeout --ft-param-rank-heartbeat-timeout "
        "--ft-param-workload-check-interval --ft-param-rank-section-timeouts "
        "--ft-param-rank-out-of-section-timeout --ft-param-log-level --ft-rank-section-timeouts "
        "--ft-rank-out-of-section-timeout --ft-cfg-path",
    ),
    CommandTable(
        "accelerate",
        LayerKind.LAUNCHER,
        _words(
            "--config-file --num-processes --num-machines --machine-rank --main-process-ip "
            "--main-process-port --mixed-precision --num-cpu-threads-per-process --rdzv-backend --rdzv-conf "
            "--gpu-ids --dynamo-backend --dynamo-mode --deployment-method --max-restarts --monitor-interval "
            "--log-dir --role -t --tee --deepspeed-config-file --zero-stage --offload-optimizer-device "
            "--offload-param-device --gradient-accumulation-steps --gradient-clipping --deepspeed-hostfile "
            "--deepspeed-multinode-launcher --fsdp-sharding-strategy --fsdp-auto-wrap-policy "
            "--fsdp-transformer-layer-cls-to-wrap --fsdp-state-dict-type --fsdp-version "
            "--fsdp-min-num-params --fsdp-offload-params --fsdp-backward-prefetch --fsdp-sync-module-states "
            "--fsdp-use-orig-params --fsdp-cpu-ram-efficient-loading --fsdp-activation-checkpointing "
            "--fsdp-forward-prefetch --same-network --main-training-function --tpu-zone --vm --env "
            "--aws-access-key-id --megatron-lm-tp-degree --megatron-lm-pp-degree --fp8-backend "
            "--enable-cpu-affinity --tp-size"
        ),
        subcommands=_words("launch"),
        underscores=True,
        module_flags=_words("-m --module"),
        program_flags=_words("--no-python"),
    ),
    CommandTable(
        "deepspeed",
        LayerKind.LAUNCHER,
        _words(
            "-H --hostfile -i --include -e --exclude --num-nodes --num-gpus --min-elastic-nodes "
            "--max-elastic-nodes --master-port --master-addr --node-rank --launcher --launcher-args "
            "--elastic-training --autotuning --bind-core-list --venv-script --ssh-port"
        ),
        underscores=True,
        module_flags=_words("--module"),
        program_flags=_words("--no-python"),
    ),
    *(
        CommandTable(
            name,
            LayerKind.LAUNCHER,
            _words(
                "-n -np --np -c --n -N --npernode -npernode --npersocket --map-by --bind-to --rank-by -x "
                "-mca --mca --hostfile -hostfile -machinefile --machinefile -f -H --host -host -hosts -ppn "
                "--ppn -perhost -wdir --wdir -wd -genv -env -output-filename --output-filename --prefix -rf "
                "--rankfile -iface"
            ),
        )
        for name in ("mpirun", "mpiexec", "prun", "mpiexec.hydra")
    ),
    CommandTable(
        "horovodrun",
        LayerKind.LAUNCHER,
        _words("-np --num-proc -H --hosts -hostfile --hostfile -p --ssh-port --network-interfaces"),
    ),
    CommandTable(
        "ray",
        LayerKind.LAUNCHER,
        _words("--address --min-nodes --num-cpus --num-gpus --resources"),
        subcommands=_words("symmetric-run"),
    ),
    CommandTable("jsrun", LayerKind.LAUNCHER, _words("-n --nrs -a -c -g -r -l -d -b -E -o -k -X")),
    CommandTable("ibrun", LayerKind.LAUNCHER, _words("-n -o")),
)

_PYTHON = CommandTable(
    "python",
    LayerKind.INTERPRETER,
    _words("-X -W -Q --check-hash-based-pycs"),
    module_options=_words("-m"),
    code_options=_words("-c"),
)
_INTERPRETERS = (
    _PYTHON,
    CommandTable(
        "julia", LayerKind.INTERPRETER, _words("-t --threads -p -L -J -C"), code_options=_words("-e -E")
    ),
    CommandTable("Rscript", LayerKind.INTERPRETER, code_options=_words("-e")),
    CommandTable("perl", LayerKind.INTERPRETER, _words("-I -M"), code_options=_words("-e -E")),
    CommandTable("node", LayerKind.INTERPRETER, _words("-r --require"), code_options=_words("-e --eval -p")),
    CommandTable(
        "java", LayerKind.INTERPRETER, _words("-cp -classpath --class-path"), module_options=_words("-jar")
    ),
)

SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh"))
MODULE_LAUNCHERS = {
    "torch.distributed.run": "torchrun",
    "torch.distributed.launch": "torch.distributed.launch",
    "accelerate.commands.launch": "accelerate",
    "deepspeed.launcher.runner": "deepspeed",
}
"""Modules that are launchers themselves when started with ``python -m``."""

TABLES = {table.name: table for table in (*_WRAPPERS, *_CONTAINERS, *_LAUNCHERS, *_INTERPRETERS)}
_VERSIONED = ("python", "julia", "perl")


def table_for(name: str) -> CommandTable | None:
    """The table of the command called *name* (a base name), versions such as ``python3.11`` included."""
    found = TABLES.get(name)
    if found is not None:
        return found
    for base in _VERSIONED:
        rest = name[len(base) :]
        if name.startswith(base) and rest.replace(".", "").isdigit():
            return TABLES[base]
    return None
