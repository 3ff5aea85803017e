"""The command tables: for each command a line as people write it, and where what it starts begins."""

from __future__ import annotations

import pytest

from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.launch.tables import SHELLS, TABLES, table_for
from tests.launch.agreement import plan_of

LINES = {
    # A line, the layers that it adds, the program, and the words behind it.
    "env": ("env -i -u LD_PRELOAD PATH=/bin A=1 train --x", "env", "train --x"),
    "exec": ("exec -a name train --x", "exec", "train --x"),
    "command": ("command -p train x", "command", "train x"),
    "builtin": ("builtin train", "builtin", "train"),
    "coproc": ("coproc train x", "coproc", "train x"),
    "time": ("/usr/bin/time -v -o log train x", "time", "train x"),
    "timeout": ("timeout --foreground -k 60 -s TERM 23h train x", "timeout", "train x"),
    "nohup": ("nohup train x", "nohup", "train x"),
    "setsid": ("setsid -w train x", "setsid", "train x"),
    "nice": ("nice -n 10 train x", "nice", "train x"),
    "ionice": ("ionice -c2 -n 7 train x", "ionice", "train x"),
    "chrt": ("chrt -f 50 train x", "chrt", "train x"),
    "numactl": ("numactl --cpunodebind=0 --membind=0 -l train x", "numactl", "train x"),
    "taskset": ("taskset -c 0-15 train x", "taskset", "train x"),
    "hwloc-bind": ("hwloc-bind --membind node:0 core:0-7 train x", "hwloc-bind", "train x"),
    "prlimit": ("prlimit --nofile=65536 train x", "prlimit", "train x"),
    "stdbuf": ("stdbuf -oL -e L train x", "stdbuf", "train x"),
    "unbuffer": ("unbuffer train x", "unbuffer", "train x"),
    "setarch": ("setarch x86_64 -R train x", "setarch", "train x"),
    "sudo": ("sudo -E -u me train x", "sudo", "train x"),
    "flock": ("flock -w 60 /tmp/lock train x", "flock", "train x"),
    "script": ("script -q -e -c 'train x' log.txt", "script", "train x"),
    "unshare": ("unshare -rm train x", "unshare", "train x"),
    "systemd-run": ("systemd-run --scope -p MemoryMax=8G train x", "systemd-run", "train x"),
    "dbus-run-session": ("dbus-run-session -- train x", "dbus-run-session", "train x"),
    "xvfb-run": ("xvfb-run -a -s '-screen 0 640x480x24' train x", "xvfb-run", "train x"),
    "tini": ("tini -s -- train x", "tini", "train x"),
    "dumb-init": ("dumb-init train x", "dumb-init", "train x"),
    "with-contenv": ("with-contenv train x", "with-contenv", "train x"),
    "catchsegv": ("catchsegv train x", "catchsegv", "train x"),
    "trtllm-llmapi-launch": ("trtllm-llmapi-launch train x", "trtllm-llmapi-launch", "train x"),
    "nvidia_entrypoint.sh": ("/opt/nvidia/nvidia_entrypoint.sh train x", "nvidia_entrypoint.sh", "train x"),
    "likwid-pin": ("likwid-pin -c N:0-3 train x", "likwid-pin", "train x"),
    "likwid-perfctr": ("likwid-perfctr -C 0-3 -g MEM train x", "likwid-perfctr", "train x"),
    "dplace": ("dplace -s1 -x2 train x", "dplace", "train x"),
    "strace": ("strace -f -tt -o log train x", "strace", "train x"),
    "ltrace": ("ltrace -f -o log train x", "ltrace", "train x"),
    "gdb": ("gdb -batch -ex run -ex bt --args train x", "gdb", "train x"),
    "cuda-gdb": ("cuda-gdb --args train x", "cuda-gdb", "train x"),
    "valgrind": ("valgrind --leak-check=full train x", "valgrind", "train x"),
    "compute-sanitizer": (
        "compute-sanitizer --tool memcheck --leak-check full train x",
        "compute-sanitizer",
        "train x",
    ),
    "cuda-memcheck": ("cuda-memcheck --tool racecheck train x", "cuda-memcheck", "train x"),
    "nsys": (
        "nsys profile -s none -t cuda,nvtx -o out -f true --capture-range=cudaProfilerApi -w true train x",
        "nsys",
        "train x",
    ),
    "ncu": ("ncu --set full -k regex:gemm -c 5 -f -o out train x", "ncu", "train x"),
    "nvprof": ("nvprof --profile-from-start off -o out train x", "nvprof", "train x"),
    "rocprof": ("rocprof --hsa-trace -o out.csv train x", "rocprof", "train x"),
    "rocprofv3": ("rocprofv3 --hip-trace -d out -- train x", "rocprofv3", "train x"),
    "rocprof-sys-run": ("rocprof-sys-run --profile -- train x", "rocprof-sys-run", "train x"),
    "rocprof-sys-sample": ("rocprof-sys-sample -PTHD -- train x", "rocprof-sys-sample", "train x"),
    "hpcrun": ("hpcrun -e gpu=nvidia -o out train x", "hpcrun", "train x"),
    "perf": ("perf record -F 99 -g -o out train x", "perf", "train x"),
    "vtune": ("vtune -collect hotspots -r out -- train x", "vtune", "train x"),
    "py-spy": ("py-spy record -o out.svg -d 60 -- python train.py x", "py-spy python", "train.py x"),
    "uv": ("uv run --with x -p 3.12 --no-sync python train.py x", "uv python", "train.py x"),
    "uvx": ("uvx --with numpy train x", "uvx", "train x"),
    "pipx": ("pipx run --spec pkg train x", "pipx", "train x"),
    "poetry": ("poetry -C /app run train x", "poetry", "train x"),
    "pipenv": ("pipenv run train x", "pipenv", "train x"),
    "pixi": ("pixi run -e gpu train x", "pixi", "train x"),
    "pdm": ("pdm run -p /app train x", "pdm", "train x"),
    "rye": ("rye run train x", "rye", "train x"),
    "hatch": ("hatch -e gpu run train x", "hatch", "train x"),
    "conda": ("conda run --no-capture-output -n env train x", "conda", "train x"),
    "mamba": ("mamba run --live-stream -p /envs/a train x", "mamba", "train x"),
    "micromamba": ("micromamba run -r /opt -n env train x", "micromamba", "train x"),
    "xargs": ("xargs -a list -n 1 -P4 -I{} train --file={}", "xargs", "train --file={}"),
    "parallel": ("parallel -j 4 --delay 1 train {} ::: a b", "parallel", "train {}"),
    "apptainer": ("apptainer exec --nv --cleanenv -B /a:/a --env A=1 i.sif train x", "apptainer", "train x"),
    "singularity": ("singularity -q exec --nv -H /home docker://i train x", "singularity", "train x"),
    "docker": ("docker run --rm -itv /a:/a --gpus all -e A --ipc=host image train x", "docker", "train x"),
    "nvidia-docker": ("nvidia-docker run --rm image train x", "nvidia-docker", "train x"),
    "podman": ("podman run --rm --device nvidia.com/gpu=all image train x", "podman", "train x"),
    "podman-hpc": ("podman-hpc shared-run --rm --gpu -v /a:/a image train x", "podman-hpc", "train x"),
    "enroot": ("enroot start --rw -m /a:/a -e A=1 image train x", "enroot", "train x"),
    "shifter": ("shifter --image=nersc/pytorch:24 --module=gpu train x", "shifter", "train x"),
    "sarus": ("sarus run --mount=type=bind,source=/a,destination=/a image train x", "sarus", "train x"),
    "ch-run": ("ch-run -b /a:/a --set-env=e image train x", "ch-run", "train x"),
    "torchrun": ("torchrun --nnodes=2 --nproc_per_node 8 --standalone train.py x", "torchrun", "train.py x"),
    "torch.distributed.launch": (
        "python -m torch.distributed.launch --use_env --nproc_per_node=8 train.py x",
        "torch.distributed.launch",
        "train.py x",
    ),
    "ft_launcher": (
        "ft_launcher --ft-cfg-path c.yaml --nproc_per_node 8 --ft-rank_section_timeouts a:1 train.py x",
        "ft_launcher",
        "train.py x",
    ),
    "accelerate": (
        "accelerate launch --multi_gpu --same_network --num_processes 8 --dynamo_backend no train.py x",
        "accelerate",
        "train.py x",
    ),
    "deepspeed": ("deepspeed --hostfile=h --num_gpus 8 --no_ssh_check train.py x", "deepspeed", "train.py x"),
    "composer": ("composer -n 8 --master_port 7501 train.py x", "composer", "train.py x"),
    "colossalai": ("colossalai run --nproc_per_node 8 --host a,b train.py x", "colossalai", "train.py x"),
    "fabric": ("fabric run --devices=8 --num-nodes 2 train.py x", "fabric", "train.py x"),
    "lightning": ("lightning run model --devices 8 train.py x", "lightning", "train.py x"),
    "mpirun": (
        "mpirun -np 4 --mca btl_tcp_if_include eth0 -x PATH --map-by ppr:4:node train x",
        "mpirun",
        "train x",
    ),
    "mpiexec": ("mpiexec -n 4 -ppn 2 -genv A 1 train x", "mpiexec", "train x"),
    "orterun": ("orterun -np 4 -hostfile h train x", "orterun", "train x"),
    "prun": ("prun --np 4 train x", "prun", "train x"),
    "prterun": ("prterun --prtemca plm slurm -n 4 train x", "prterun", "train x"),
    "mpiexec.hydra": ("mpiexec.hydra -bootstrap slurm -np4 train x", "mpiexec.hydra", "train x"),
    "mpiexec.slurm": ("mpiexec.slurm -n 4 train x", "mpiexec.slurm", "train x"),
    "oshrun": ("oshrun -n 4 train x", "oshrun", "train x"),
    "horovodrun": ("horovodrun -np 8 -H a:4,b:4 train x", "horovodrun", "train x"),
    "jsrun": ("jsrun -n 2 -a 1 -c 7 -g 1 train x", "jsrun", "train x"),
    "ibrun": ("ibrun -n 4 -o 0 train x", "ibrun", "train x"),
    "aprun": ("aprun -n 8 -N 4 train x", "aprun", "train x"),
    "flux": ("flux run -N 2 -n 8 train x", "flux", "train x"),
    "ray": ("ray job submit --address http://h:8265 --working-dir . -- train x", "ray", "train x"),
    "python": ("python3.11 -u -X faulthandler -W ignore train.py x", "python", "train.py x"),
    "pypy": ("pypy3 train.py x", "pypy", "train.py x"),
    "coverage": ("coverage run --source pkg train.py x", "coverage", "train.py x"),
    "julia": ("julia --project=. -t 8 train.jl x", "julia", "train.jl x"),
    "Rscript": ("Rscript --vanilla train.R x", "Rscript", "train.R x"),
    "perl": ("perl -w -I lib train.pl x", "perl", "train.pl x"),
    "node": ("node --max-old-space-size=4096 train.js x", "node", "train.js x"),
    "java": ("java -Xmx4g -jar train.jar x", "java", "train.jar x"),
    "matlab": ("matlab -nodisplay -batch train", "matlab", "-c"),
}
MORE = [
    ("env -S 'A=1 train --x' y", "env", "train --x y"),
    ("nice -10 train x", "nice", "train x"),
    ("taskset 0xff train x", "taskset", "train x"),
    ("setarch -R train x", "setarch", "train x"),
    ("flock /tmp/lock -c 'train x'", "flock", "train x"),
    ("flock -c 'train x' /tmp/lock", "flock", "train x"),
    ("uv run train.py --x", "uv python", "train.py --x"),
    ("uv run -m package.train --x", "uv python", "package.train --x"),
    ("uv run -m torch.distributed.run --nproc_per_node 2 train.py", "uv torchrun", "train.py"),
    ("uv run --no-sync torchrun --nproc_per_node 2 train.py", "uv torchrun", "train.py"),
    ("uv tool run train x", "uv", "train x"),
    ("uv run -- train x", "uv", "train x"),
    ("conda run --live-stream -vn env python -u train.py", "conda python", "train.py"),
    ("python -mpackage.train x", "python", "package.train x"),
    ("python -um package.train x", "python", "package.train x"),
    ("python -u -m torch.distributed.run --nproc-per-node=2 -m package.train", "torchrun", "package.train"),
    ("python -m accelerate.commands.launch --num_processes 2 train.py", "accelerate", "train.py"),
    ("accelerate-launch --num_processes 2 train.py", "accelerate", "train.py"),
    ("torchrun --nproc_per 2 train.py", "torchrun", "train.py"),
    ("torchrun --no-python bash -c 'train x'", "torchrun bash", "train x"),
    ("composer -c -n 2 train x", "composer", "train x"),
    ("deepspeed --elastic_training --num_nodes 2 train.py", "deepspeed", "train.py"),
    ("nsys profile -o out --stats=true -f true python train.py", "nsys python", "train.py"),
    ("nsys profile --trace=cuda --force-overwrite python train.py", "nsys python", "train.py"),
    ("docker run --entrypoint train image x", "docker", "train x"),
    ("docker exec -it box train x", "docker", "train x"),
    ("apptainer run --nv image.sif python train.py", "apptainer python", "train.py"),
    ("apptainer run --nv image.sif --steps 10", "apptainer", "run script of image.sif --steps 10"),
    ("xargs -0 -n1 train x", "xargs", "train x input"),
    ("parallel -j4 'train {1} {2}' ::: a b ::: c d", "parallel", "train {1} {2}"),
    ("bash -lc 'train x'", "bash", "train x"),
    ("mpirun --tag-output -n 2 --oversubscribe train x", "mpirun", "train x"),
]
LEAVES = [
    "uv sync --frozen",
    "ray start --head --block",
    "accelerate config",
    "conda activate env",
    "docker pull image",
    "perf report",
    "gdb -p 1",
    "wandb agent team/project/sweep",
    "torchx run -s slurm dist.ddp -j 2x8 --script train.py",
    "pdsh -w node[1-2] hostname",
    "ssh node1 train x",
    "dcgmi discovery -l",
]


def program_of(line: str) -> Program:
    (program,) = plan_of(f"{line}\n").host_programs
    return program


def shown(program: Program) -> tuple[str, str]:
    """The layers, and the target with its arguments."""
    words = [program.target.show(), *(arg.value.show() for arg in program.arguments)]
    return " ".join(layer.name for layer in program.layers), " ".join(words)


def test_every_table_has_a_line() -> None:
    assert set(TABLES) == set(LINES)


@pytest.mark.parametrize("name", LINES)
def test_where_the_command_begins(name: str) -> None:
    line, layers, command = LINES[name]
    assert shown(program_of(line)) == (layers, command)


@pytest.mark.parametrize(("line", "layers", "command"), MORE, ids=[line for line, _, _ in MORE])
def test_other_spellings(line: str, layers: str, command: str) -> None:
    assert shown(program_of(line)) == (layers, command)


@pytest.mark.parametrize("line", LEAVES)
def test_starts_nothing_that_is_followed(line: str) -> None:
    program = program_of(line)
    assert program.words[0].text == line.split()[0]
    assert program.target.text == line.split()[0]


def test_several_programs_of_one_start() -> None:
    plan = plan_of("mpirun -n 1 train a : -n 2 -x B evaluate b\n")
    assert [shown(program) for program in plan.host_programs] == [
        ("mpirun", "train a"),
        ("mpirun", "evaluate b"),
    ]


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("mpirun -np4 train", "np", "4"),
        ("torchrun --nproc_per_node=8 t.py", "nproc-per-node", "8"),
        ("torchrun --nproc 8 t.py", "nproc-per-node", "8"),
        ("PET_NPROC_PER_NODE=8 torchrun t.py", "nproc-per-node", "8"),
        ("export PET_NNODES=2\ntorchrun t.py", "nnodes", "2"),
        ("docker run -itv /a:/b image train", "v", "/a:/b"),
        ("nsys profile -f true train", "f", "true"),
    ],
)
def test_option_values(line: str, name: str, value: str) -> None:
    (program,) = plan_of(f"{line}\n").host_programs
    option = program.layers[0].get(name)
    assert option is not None
    assert option.value is not None
    assert option.value.text == value


def test_the_line_wins_over_the_environment() -> None:
    (program,) = plan_of("PET_NPROC_PER_NODE=8 torchrun --nproc-per-node 4 t.py\n").host_programs
    assert [option.value.text for option in program.layers[0].all("nproc-per-node") if option.value] == ["4"]


def test_options_that_count_are_options_that_take_a_value() -> None:
    for table in TABLES.values():
        assert table.processes | table.world | table.machines <= table.valued, table.name
        if table.kind is not LayerKind.LAUNCHER:
            assert not table.processes | table.world | table.machines
        assert not table.valued & table.switches, table.name
        assert not table.valued & table.flags, table.name


def test_versions_and_shells() -> None:
    assert table_for("python3.11") is table_for("python")
    assert table_for("pythonic") is None
    assert not SHELLS & set(TABLES)
