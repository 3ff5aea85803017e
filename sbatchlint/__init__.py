"""A linter for Slurm batch scripts of GPU training jobs."""

__version__ = "0.1.0"
