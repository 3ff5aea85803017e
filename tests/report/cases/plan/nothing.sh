#!/usr/bin/env python3
#SBATCH --nodes=1
#SBATCH --time=60
print("hello")
