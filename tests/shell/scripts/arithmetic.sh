#!/bin/bash
n=$((SLURM_NNODES * 8))
((n++))
(( n > 3 && n < 10 )) && echo big || echo small
m=$(( (n + 1) * 2 ))
k=$((10#$month + 0x1f))
old=$[1+1]
for ((i = 0; i < n; i++)); do echo "$i"; done
for ((;;)) do break; done
for (( i=0, j=$(wc -l < f); i<j; i++ ))
do
  echo $((i << 2)) $((i >> 1)) $((i ? 1 : 2))
done
while (( --n )); do :; done
if ((n)); then echo yes; fi
let "x = 1 + 2" y=3
echo $((x[1] + ${#arr[@]})) "$((a+"1"))"
((x = "3" + $(echo 1))) > log 2>&1
until (( n >= 3 )); do (( n += 1 )); done
a[n++]=$((n--))
