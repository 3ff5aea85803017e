"""The parts that a made script has once: its directives, what it prepares, and what it launches."""

from __future__ import annotations

from benchmarks import words
from benchmarks.draft import Draft
from benchmarks.figures import SHORT_OPTIONS

_SHORT = {"job-name": "J", "time": "t", "nodes": "N", "output": "o", "partition": "p", "error": "e"}


def directives(draft: Draft) -> list[str]:
    """Return the first line and the directives."""
    nodes = draft.one(("2", "4", "1", "8", "16", "32")) if draft.training else "1"
    given = {"job-name": f"{draft.one(words.JOBS)}-{draft.number}", "nodes": nodes}
    given["ntasks-per-node"] = "8" if draft.training and draft.has("python") else "1"
    given["partition"] = draft.one(words.PARTITIONS)
    if not draft.has("no_time"):
        given["time"] = draft.one(words.TIMES)
    if not draft.has("no_output"):
        given["output"] = _log(draft)
    if draft.has("cpus_per_task") or draft.likely(0.2):
        given["cpus-per-task"] = draft.one(("10", "12", "40", "64"))
    if draft.likely(0.75 if draft.training else 0.4):
        given["gres"] = draft.one(("gpu:8", "gpu:4", "gpu:1", "gpu:a100:8"))
    if draft.likely(0.4):
        given["account"] = draft.one(words.ACCOUNTS)
    if draft.likely(0.3):
        given["error"] = "%x-%j.err"
    if draft.likely(0.2):
        given["mem"] = draft.one(("0", "64G", "120G", "500000"))
    if draft.likely(0.15):
        given["hint"] = "nomultithread"
    lines = [_directive(draft, name, value) for name, value in given.items()]
    if draft.likely(0.3):
        lines.append("#SBATCH --exclusive")
    del lines[max(2, draft.length // 3) :]
    if draft.has("mail_type_twice"):
        lines += ["#SBATCH --mail-type=BEGIN", "#SBATCH --mail-type=END"]
    if draft.has("switched_off_directive"):
        lines.append("##SBATCH --qos=debug")
    return ["#!/bin/bash" if draft.likely(0.9) else "#!/bin/bash -l", *lines, ""]


def _log(draft: Draft) -> str:
    folder = "logs/" if draft.has("log_folder_missing") or draft.has("log_folder_late") else ""
    return folder + (
        "train.out" if draft.has("constant_log") else draft.one(("%x-%j.out", "%j.out", "slurm-%j.log"))
    )


def _directive(draft: Draft, name: str, value: str) -> str:
    if name in _SHORT and draft.likely(1.6 * SHORT_OPTIONS):
        line = f"#SBATCH -{_SHORT[name]} {value}"
    else:
        line = f"#SBATCH --{name}={value}"
    if draft.has("commented_directives") and draft.likely(0.5):
        return f"{line.ljust(36)} # {draft.comment()}"
    return line


def preparation(draft: Draft) -> list[str]:
    """Return what comes before the launch: modes, modules, sourced files, settings."""
    lines: list[str] = []
    if draft.likely(0.18) and not draft.has("echo_at_the_end"):
        lines.append(draft.one(("set -e", "set -x -e", "set -euo pipefail")))
    if draft.has("log_folder_late"):
        lines.append("mkdir -p logs")
    if draft.likely(0.25):
        lines += ["module purge", *(f"module load {name}" for name in draft.some(words.MODULES, 2))]
    if draft.has("folder_of_the_script"):
        lines.append('cd "$(dirname "$0")"')
    if draft.has("source") or (not draft.training and draft.likely(0.4)):
        files = (
            "$WORK/start-env",
            "~/.bashrc",
            "venv/bin/activate",
            "$CONDA_ROOT/etc/profile.d/conda.sh",
            "./env.sh",
        )
        lines.append(f"source {draft.one(files)}")
    if draft.likely(0.25):
        if not draft.likely(0.1):
            lines.append('eval "$(conda shell.bash hook)"')
        lines.append(f"conda activate {draft.one(('base', 'train', 'torch2', 'nlp'))}")
    lines += [f"export {setting}" for setting in draft.some(words.SETTINGS, 1 + draft.length // 40)]
    return [*lines, ""]


def meeting(draft: Draft) -> list[str]:
    """Return how the ranks find each other."""
    lines = []
    if draft.has("hostnames"):
        lines.append(
            draft.one(
                (
                    'MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
                    "export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)",
                    "nodes=( $( scontrol show hostnames $SLURM_JOB_NODELIST ) )\nMASTER_ADDR=${nodes[0]}",
                )
            )
        )
    elif draft.training:
        lines.append("MASTER_ADDR=$(hostname)")
    if draft.has("literal_port"):
        lines.append(draft.one(("MASTER_PORT=6000", "export MASTER_PORT=29500", "MASTER_PORT=6001")))
    elif draft.training:
        lines.append(draft.one(("MASTER_PORT=$((10000 + SLURM_JOB_ID % 50000))", "export MASTER_PORT=$PORT")))
    if draft.training:
        lines += [
            "GPUS_PER_NODE=8",
            "NNODES=$SLURM_NNODES",
            "export TP_SIZE=2",
            f"export PP_SIZE={draft.one(('1', '2'))}",
        ]
    return [line for part in lines for line in part.split("\n")]


def seldom(draft: Draft) -> list[str]:
    """Return what few scripts hold: functions, ``case``, here-documents, arrays."""
    lines: list[str] = []
    if draft.has("function"):
        lines += ["log() {", '  echo "[$(date +%T)] $*"', "}", 'log "starting"']
    if draft.has("case"):
        lines += ['case "$1" in', "  7b) SIZE=1 ;;", "  70b) SIZE=8 ;;", "  *) SIZE=2 ;;", "esac"]
    if draft.has("array"):
        lines += [
            "MODEL_ARGS=(",
            *(f"    {option}" for option in draft.options(max(2, draft.length // 20))),
            ")",
        ]
    if draft.has("here_document"):
        size = max(2, draft.length // 25)
        body = [f'  "{draft.one(words.FILES)}": {draft.one(words.NUMBERS["tokens"])},' for _ in range(size)]
        lines += [
            f"cat <<EOT > $CONFIG_JSON{draft.one(('', '.tmp'))}",
            "{",
            *body,
            '  "end": true',
            "}",
            "EOT",
        ]
    if draft.has("directive_in_here_document"):
        lines += [
            "cat > next.sbatch <<EOF",
            "#!/bin/bash",
            "#SBATCH --nodes=1",
            "srun eval.sh",
            "EOF",
            "sbatch next.sbatch",
        ]
    return lines
