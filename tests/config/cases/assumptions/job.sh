#!/bin/bash
#SBATCH --nodes=1 --time=00:10:00
hostname
