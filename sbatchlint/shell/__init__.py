"""Shell text to syntax tree; knows nothing of Slurm."""
