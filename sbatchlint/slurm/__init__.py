"""Slurm's side of a batch script: its options, its directives, the job they ask for, and its environment."""
