#!/bin/bash
for x in a b "c d" $e; do echo "$x"; done
for x; do echo; done
for x do echo; done
for x in; do echo; done
for x
in a b
do echo; done
for x in a
do
  echo
done
for x in $(seq 1 3) `ls` {1..3} *.txt; do echo; done > out
for in in in do done; do echo $in; done
for i in 1 2; do for j in 3 4; do echo $i$j; done; done
for x in a \
  b; do :; done
for x in a; do echo; done | sort &
for f in "${files[@]}" # trailing's
do
  [ -f "$f" ] || continue
done < input
