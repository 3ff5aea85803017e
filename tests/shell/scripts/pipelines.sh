#!/bin/bash
a | b | c
a |& b
a | while read -r x; do echo; done | sort
a 2>&1 | b 2>&1 | c > out || true
a <f | b | c && d
a | { b; c; } | (d; e) | f
a |
b |

c
if a; then b; fi | c
(a) | b
for i in 1; do a; done | b | c
a | if b; then c; fi
a | case x in y) z;; esac
a | [[ b ]] | ((1))
cat f | sort -u | tee a | wc -l
find . -name x -o -name y 2>/dev/null
a & b | c &
