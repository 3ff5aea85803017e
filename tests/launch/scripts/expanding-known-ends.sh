# Trims and cuts of values that are known at one end only.

#### ends known
A="$WHO/a:/b,"
python "${A%,}" "${A%%,}" "${A#,}" "${A%/*}" "${A##*/}" "${A%%/*}" "${A%:*}" "${A: -3}" "${A: -3:2}" "${A:0:-1}" "${A%x}" "${A%/b?}"
B=",/x:$WHO"
python "${B#,}" "${B:1}" "${B:1:2}" "${B##*/}" "${B#*/}" "${B%%:*}" "${B%:*}" "${B%%x*}" "${B#?}" "${B:0:1}" "${B: -2}"
python "${B/#,/}" "${B/%x/}" "${B//\//_}" "${B^^}" "${A/%,/;}" "${B/,/x}" "${B/#[,;]/-}" "${A/#z/y}"
C="pre-$WHO-post"
python "${C#pre-}" "${C%-post}" "${C#*-}" "${C%-*}" "${C##*-}" "${C%%-*}" "${C//-/_}" "${C:4}" "${C:0:3}" "${C#pre}" "${C%%post}" "${C^}" "${C@U}" "${C//o/}" "${C:2:-2}"

#### growing lists
MOUNTS=
for d in "$DATA" /b /c; do MOUNTS+="$d:$d,"; done
MOUNTS=${MOUNTS%,}
srun --container-mounts="$MOUNTS" python train.py
L=
for d in $GIVEN; do L+="$d,"; done
python "${L%,}"
MM=",a,b,$WHO"
MM="${MM#,}"
python "$MM" "${MM:1}"

#### assumed ends
P=${BASE:-/data}/run,
python "${P%,}" "${P##*/}" "${P%/*}" "${P#/}" "${P%%/*}" "${P: -1}" "${P^^}" "${P//,/;}"
Q=$WHO${SEP:-,}
python "${Q%,}" "${Q%?}" "${Q: -1}" "${Q//,/x}" "${Q/%,/y}"
R=${SEP:-,}$WHO
python "${R#,}" "${R:1}" "${R/#,/y}" "${R%%,*}"

#### choices with trims
if [ "$WHO" = me ]; then A=x/a.py; else A=y/b.sh; fi
python "${A##*/}" "${A%.*}" "${A#*.}" "${A%%/*}" "$(basename "$A")" "$(dirname "$A")" "${A^^}" "${A:0:1}" "${#A}"
B="$A,$GIVEN,"
python "${B%,}" "${B%%,*}"
case $A in *.py) python py ;; *.sh) python sh ;; *) python none ;; esac
[[ $A == */* ]] && python slash
[[ $A == *.py ]] && python maybe
[[ $A == *.c ]] || python no c

#### substrings out of range
A="ab$WHO"
python "${A:0}" "${A:1:1}" "${A:2}" "${A:0:2}" "${A:0:3}" "${A:3}" "${A: -1}"
B="$WHO"
python "${B:0}" "${B:0:0}" "${B#}" "${B%}" "${B//}" "${B/#/p}" "${B/%/s}"

#### dates and hosts in names keep what is known
N="run-$(date +%s)"
python "$N" "${N%%-*}" "${N#run-}" "${N:0:4}"
[[ $N == run-* ]] && python named
case $N in run-*) python run ;; *) python other ;; esac
