#!/bin/bash
#SBATCH --nodes=1 --ntasks=1
#SBATCH hetjob
#SBATCH --nodes=1 --ntasks=2

srun --het-group=0 python server.py --port 9000 : --het-group=1 python client.py --server first
