"""What a command line of sbatch submits: its options, the script, the script's arguments."""
