"""Commands that stand in for Slurm and for what jobs start: they note that they were called, and how.

Each call writes one file of NUL-separated text: the step it runs in, the number of its words, the words
and its environment.  ``srun``, and wrappers that do not exist on every machine, start what follows them.
"""

from __future__ import annotations

from pathlib import Path

NOTED = (
    "python python3 torchrun accelerate deepspeed julia train evaluate merge hostname nvidia-smi "
    "prepare report scontrol failing"
).split()
"""Commands that note their call and succeed; ``failing`` fails, ``scontrol`` and ``hostname`` name a node."""
STARTING = ("srun", "numactl", "uv", "mpirun", "apptainer")

_NOTE = """\
#!/bin/sh
set -f
note() {
  call=$$
  while [ -e "$STANDIN_CALLS/$call" ]; do call=${call}x; done
  { printf '%s\\0' "$STANDIN_STEP" "$#" "$@"; env -0; } > "$STANDIN_CALLS/$call"
  echo "$call" >> "$STANDIN_CALLS/order"
}
name=${0##*/}
"""
_LEAF = """\
note "$name" "$@"
case $name in failing) exit 3 ;; scontrol|hostname) echo node1 ;; esac
exit 0
"""
_SRUN = """\
note srun "$@"
STANDIN_STEP=$call SLURM_PROCID=0 SLURM_LOCALID=0 SLURM_NODEID=0
export STANDIN_STEP SLURM_PROCID SLURM_LOCALID SLURM_NODEID
while [ "$#" -gt 0 ]; do
  case $1 in
    -n|-N|-c|-w|-p|-J|-t|-G|-D) shift 2 ;;
    --nodes|--ntasks|--ntasks-per-node|--cpus-per-task|--container-image|--container-mounts|--mpi) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
[ "$#" -eq 0 ] && exit 0
exec "$@"
"""
_WRAPPER = """\
case $name in
  uv) shift ;;
  apptainer) shift; while :; do case $1 in -B|--bind) shift 2 ;; -*) shift ;; *) shift; break ;; esac; done ;;
esac
while :; do
  case $1 in -n|-np|-N|--with) shift 2 ;; -*) shift ;; *) break ;; esac
done
exec "$@"
"""


def write_stand_ins(folder: Path) -> None:
    """Write all stand-ins into *folder*, to be put in front of PATH."""
    for name in NOTED:
        _write(folder / name, _NOTE + _LEAF)
    for name in STARTING:
        _write(folder / name, _NOTE + (_SRUN if name == "srun" else _WRAPPER))


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
