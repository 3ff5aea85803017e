#!/bin/bash
cat a | grep b | head -1
find . -name c 2>/dev/null
for x in 1; do
  a 2>&1 | b | c "$x" | d 'e|f' || true
  g | h | i
  j > k
done
a | b | c
d <e | f | g
h >i
