#!/bin/bash
[[ -f $file && ! -d "$dir" ]] && echo a
[[ $a == b* || ( $c != d && -n $e ) ]] || echo b
[[ a < b ]]; [[ a > b ]]
[[ $x =~ ^[0-9]+$ ]] && echo number
[[ $x =~ ^(a|b c)+(d)?$ ]] && echo "${BASH_REMATCH[1]}"
[[ $x =~ [[:space:]]*(a|b)[[:digit:]] ]]
[[ "$x" =~ $re ]]
[[ $x == @(a|b) ]]
[[ $x = *"y z"* ]]
[[ ! $x ]]
[[ $a -eq 1 && $b -lt 2 ]] && {
  echo ok
}
if [[ -z ${X:-} ]]; then echo unset; fi
[[ -n $a && # it's a comment
   -n $b ]] && echo both
[[ $a ==
   b ]]
while [[ $# -gt 0 ]]; do shift; done
[ "$a" = b ] && [ -f x -a -d y ]
test -f x
! [[ a == b ]]
[[ $(cmd "x") == "y" ]] > log
[[ $a -nt $b ]] | cat
