#!/bin/bash
args=(--lr 1e-4 --name "my run" '$lit' $(seq 3) `echo b` "${extra[@]}" <(sort f))
args+=(
  --wd 0.1   # it's a comment with a ' quote
  --flag     # and a ) parenthesis
  # a whole line "
  \
  --last
)
words=(case esac if for in do done { } ! function select)
empty=()
spaced=( )
indexed=([0]=a [2]="b c" [x + 1]=d [5]+=e)
declare -A map=([alpha]=1 ["b c"]=2 [$key]="$value" [d]=(no))
export LIST=(a b) && echo "${LIST[@]}"
read -ra nodes <<< "$(scontrol show hostnames)"
glob=(*.txt [ab]*.sh ?(x))
