"""Batch scripts with few faults, each of a known rule."""

GOOD = """\
#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=00:10:00

srun hostname
"""
SRUN_ONLY = GOOD.replace("#SBATCH --time", "#SBATCH --mpi=pmix\n#SBATCH --time")
"""An error, SB101, in line 3."""
EARLY = GOOD.replace("nodes=1", "nodes=2").replace("srun hostname", 'srun bash -c "echo $SLURM_PROCID"')
"""A warning, SB401, in line 5."""
MISSPELT = GOOD.replace("srun", "export CUDA_DEVICE_MAX_CONNECTION=1\nsrun")
"""An error, SB609, in line 5."""
ALSO_EARLY = 'srun --nodes=1 --ntasks=2 bash -c "echo $SLURM_PROCID"\n'
"""A line that adds SB401 to any of these."""
