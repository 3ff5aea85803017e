"""Broken ranks and meeting points: who a process is, and where it finds the others."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, both, command, each

TORCHRUN = r"^\s*(?:srun.*)?torchrun|bash -c .?torchrun|srun torchrun|accelerate launch"
SEVERAL_NODES = r"^#SBATCH (?:--nodes=|-N )[2-9]"
FROM_SCONTROL = r"\$\(scontrol show hostnames .*\)"
PORT = r"\$\(\(20000 \+ SLURM_JOB_ID % 10000\)\)"

MUTATIONS = (
    Mutation("escape dropped", "SB401", each(r"\\(\$SLURM_(?:NODEID|PROCID|LOCALID))", r"\1")),
    Mutation(
        "double quotes for single ones",
        "SB401",
        each("bash -c '([^'\"]*)'", r'bash -c "\1"', when="SLURM_(?:NODEID|PROCID)"),
    ),
    Mutation(
        "escape within single quotes",
        "SB321",
        each(r"(--\w+rank[= ])(\$SLURM_NODEID)", r"\1\\\2", when="bash -c '"),
    ),
    Mutation(
        "node rank read in the batch shell",
        "SB310 SB401",
        both(
            each(r"(--node_rank=|--machine_rank )\\?\$SLURM_NODEID", r"\1$NODE_RANK"),
            command("export NODE_RANK=$SLURM_NODEID"),
        ),
    ),
    Mutation("node rank 0 everywhere", "SB324", each(r"(--node_rank=)\\?\$SLURM_NODEID", r"\g<1>0")),
    Mutation(
        "machine rank 0 beside a configuration file",
        "SB324",
        each(r"(--machine_rank )\$SLURM_NODEID", r"\g<1>0"),
        pedantic=True,
    ),
    Mutation("node rank left out", "SB323 SB324 SB326", each(r" *--node_rank=\\?\$SLURM_NODEID( \\\n)?", "")),
    Mutation("ranks not set", "SB331", each(r"^ *export RANK=.*\n", "")),
    Mutation(
        "unknown variable of Slurm's",
        "SB225",
        each(r"SLURM_(NODEID|PROCID|LOCALID|NTASKS|NNODES)\b", r"SLURM_TASK_\1"),
    ),
    Mutation("misspelt variable of Slurm's", "SB225", each(r"SLURM_JOB_NODELIST\b", "SLURM_JOB_NODE_LIST")),
    Mutation(
        "CPUs in Slurm's short form",
        "SB224",
        each(r"(OMP_NUM_THREADS=\$SLURM_)CPUS_PER_TASK", r"\1JOB_CPUS_PER_NODE", when=SEVERAL_NODES),
    ),
    Mutation("variable not exported", "SB320", each("^export (?=(?:HEAD|PORT)=)", "")),
    Mutation("variables no longer exported", "SB320", each(r"^export MASTER_ADDR MASTER_PORT\n", "")),
    Mutation(
        "localhost as the address",
        "SB322",
        each(FROM_SCONTROL, "localhost", when=SEVERAL_NODES, unless="ray"),
    ),
    Mutation(
        "address of the launch node",
        "SB328",
        each(r"\$(?:HEAD|MASTER_ADDR)(?=[: ])", "$SLURM_LAUNCH_NODE_IPADDR", when="bash -c '"),
        pedantic=True,
    ),
    Mutation(
        "address that the batch shell does not know",
        "SB225",
        each(FROM_SCONTROL, "$SLURM_LAUNCH_NODE_IPADDR", when=SEVERAL_NODES, unless="ray"),
    ),
    Mutation(
        "all addresses of the host",
        "SB317",
        each(FROM_SCONTROL, "$(hostname -I)", when=TORCHRUN, unless="ray"),
    ),
    Mutation(
        "address of each task's own host",
        "SB327",
        each(r"\$(?:HEAD|MASTER_ADDR)(?=[: ])", "$(hostname)", when="bash -c '"),
    ),
    Mutation(
        "random port in each task",
        "SB327",
        each(r"(?<=port[ =])\$(?:MASTER_)?PORT", "$RANDOM", when="bash -c '"),
    ),
    Mutation(
        "no address at all",
        "SB323",
        each(
            r"--master_addr=\S+ *(?:--master_port=\S+ )?\\\n\s*(?:--master_port=\S+ \\\n)?",
            "",
            when=SEVERAL_NODES,
            unless="export MASTER_ADDR|MASTER_ADDR MASTER_PORT",
        ),
    ),
    Mutation(
        "fixed port on nodes that are shared",
        "SB314",
        each(PORT, "29500", unless="--exclusive|gpus-per-node=8"),
        pedantic=True,
    ),
    Mutation(
        "port above 65535", "SB330", each(r"20000 \+ SLURM_JOB_ID % 10000", "SLURM_JOB_ID"), pedantic=True
    ),
    Mutation("port that is none", "SB330", each(r"(?<=:)29400", "70000")),
    Mutation(
        "one launcher told of itself alone",
        "SB326",
        each(r"--nnodes=(?:\d|\$SLURM_NNODES)", "--nnodes=1", when=SEVERAL_NODES),
    ),
    Mutation(
        "list of nodes as the address",
        "SB336",
        each(FROM_SCONTROL, "$SLURM_JOB_NODELIST", when=SEVERAL_NODES, unless="ray"),
    ),
    Mutation(
        "standalone on several nodes",
        "SB326",
        each(r"--rdzv_backend=c10d", "--standalone", when=SEVERAL_NODES),
    ),
    Mutation(
        "number of the node as the rank",
        "SB337",
        each(r"\bRANK=(\\?)\$SLURM_PROCID", r"RANK=\1$SLURM_NODEID"),
    ),
    Mutation(
        "rank in the job as the local rank",
        "SB337",
        each(r"LOCAL_RANK=(\\?)\$SLURM_LOCALID", r"LOCAL_RANK=\1$SLURM_PROCID"),
    ),
)
