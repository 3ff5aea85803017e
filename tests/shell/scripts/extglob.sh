#!/bin/bash
[[ $f == *.@(txt|md) ]]
[[ $f != !(a|b)* ]]
case $f in +([0-9])) echo n;; *.@(a|b)|?(c)) echo e;; esac
echo ${f%%+([0-9])} ${f/@(a|b)/x} "${f##*([[:space:]])}"
[[ $f == ?(-)+([0-9]) && $g == a ]]
