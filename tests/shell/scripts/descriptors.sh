#!/bin/bash
exec 3>&1 4<file 5<>both
cmd 2>&1 >/dev/null | tee log
cmd >out 2>err <in
cmd >>out 2>>err
cmd &>all; cmd &>>all
cmd >|forced
cmd {fd}>file {fd2}<file2
exec {fd}>&- 3>&-
cmd 2>&-
cmd <&3 >&4
cmd 2>&1 | cat
cmd |& cat
>created
> created2 cmd arg
2>err cmd > out arg
echo a 2 > f
echo a2>f
echo 12>f
echo "2">f
cmd > "$dir/a b.log" 2>"$dir"/err
<in sort >out
: > empty
cmd >& file
read x <<< "$y"
