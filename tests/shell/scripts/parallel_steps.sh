#!/bin/bash
i=0
while read -r cfg; do
  (
    cd "$cfg" || exit
    srun -n1 --exclusive ./run.sh "$((i % 4))" > log 2>&1
  ) &
  ((++i % 4 == 0)) && wait
done < <(ls -d configs/*/)
wait
