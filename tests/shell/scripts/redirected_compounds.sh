#!/bin/bash
{ a; } > out 2>&1 < in
( a ) >> out
if a; then b; fi > out
while a; do b; done < in > out
until a; do b; done 2>/dev/null
for x in 1; do a; done >| out
case x in a) b;; esac > out
select x in a b; do c; done < in
for ((i=0;i<1;i++)); do a; done > out
[[ a ]] 2>/dev/null
((1)) > out
f() { a; } > out
{ a; } {fd}> out
{ a; } <<EOF
doc
EOF
{ a; } <<< b | c
