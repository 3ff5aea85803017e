"""Rules about the file as a whole: what sbatch refuses before it reads a directive."""
