#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
rm -rf "${RUN_DIR:?}/old" "${CACHE:?no cache}"/*
python prepare.py
