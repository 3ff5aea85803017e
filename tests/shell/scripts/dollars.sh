#!/bin/bash
echo $# $$ $! $? $@ $* $- $_ $0 $1 $10 ${10} $x$y ${x}y "$" $ "a$" $. $/x
echo $'a\'b' $"tr" "$'no'" '$x' \$x "\$x"
echo "$@" "${@:2}" "$*" "${*}"
echo a$b.c $d/e$f-g ${h}_i
