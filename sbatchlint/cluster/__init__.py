"""The cluster that a job is meant for: its profile, how that is got from a Slurm, and what does not fit."""
