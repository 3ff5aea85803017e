#!/bin/bash
read -r a b <<< "$line"
cat <<<word
cat <<< $(cmd) | sort
while read -r x; do echo "$x"; done <<< "$list"
grep a <<< 'b c' > out
[[ a ]] <<< x
