"""Programs that stand in for what jobs start, inside a real Slurm: they note their call and succeed.

Everything that they need they find by their own path, ``JOB/bin/NAME``, since ``srun --export=NONE`` leaves
them no variable.  The task prolog is one of them: Slurm runs it before each task of each step, whatever the
task then starts, and what it prints becomes the task's environment.
"""

from __future__ import annotations

from pathlib import Path

NOTED = frozenset(
    "python python3 torchrun accelerate deepspeed julia train evaluate merge hostname nvidia-smi prepare "
    "report failing".split()
)
"""Programs that note their call; ``failing`` fails."""
TASK = "task-prolog"
OUTER = "STANDIN_OUTER"
"""Names the task that a task was started from: empty for a step of the batch shell."""

_NOTE = f"""\
#!/bin/sh
set -f
name=${{0##*/}}
calls=${{0%/bin/*}}/calls
call=$$
while ! (set -C; : > "$calls/$call") 2> /dev/null; do call=${{call}}x; done
{{ printf '%s\\0' "$#" "$name" "$@"; env -0; }} > "$calls/$call"
echo "$call" >> "$calls/order"
case $name in
  failing) exit 3 ;;
  hostname) echo "$SLURMD_NODENAME" ;;
  {TASK}) echo "export {OUTER}=$SLURM_JOB_ID.$SLURM_STEP_ID.$SLURM_PROCID" ;;
esac
exit 0
"""
_WRAPPER = """\
#!/bin/sh
case ${0##*/} in uv|nsys|apptainer) shift ;; esac
while :; do
  case $1 in -o|-B|--bind|--with|--project|-np) shift 2 ;; -*) shift ;; *) break ;; esac
done
case ${0##*/} in apptainer) shift ;; esac
exec "$@"
"""
_WRAPPERS = ("uv", "nsys", "apptainer", "numactl", "mpirun")


def write_stand_ins(folder: Path) -> None:
    """Write all of them into *folder*, to be seen as ``JOB/bin``."""
    folder.mkdir()
    for name in (*NOTED, TASK):
        _write(folder / name, _NOTE)
    for name in _WRAPPERS:
        _write(folder / name, _WRAPPER)


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
