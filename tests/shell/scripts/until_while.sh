#!/bin/bash
while true; do break; done
while a; b; do c; done
while
  a
  b
do
  c
done
until a || b; do c; done
while read -r a b <&3; do echo; done 3< f
while IFS= read -r line || [[ -n $line ]]; do :; done < "$f"
while :; do a & done
while (a); do b; done
while { a; }; do { b; } done
until ! a; do b; done
while a; do
  if b; then continue; fi
  c || break
done
