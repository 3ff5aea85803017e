#!/bin/bash
#SBATCH --nodes=1
echo BAD
