#!/bin/bash
#SBATCH --nodes=2
A=1 B="two words" C='$x' D=$'tab\there' E=$"local" F=
G+=more H=~/dir I=a:b~ J=$A/$B.json
a[0]=x a[$i + 1]=y a["k y"]=z a[1]+=w
K=1 command --flag "$K"
PATH=$PATH:/opt/bin python train.py
X=a#b Y=a=b=c
export P=1 Q R="$S"
declare -r T=5 U
local_var=$(cmd) other=`cmd`
