"""Rules about the `#SBATCH` lines."""
