# What a breaker found: each was once foreseen otherwise than bash does it.

#### quoted lists without elements
A=
e() { python "${A}$@"; python "$@$A"; python "$A$@"''; python "$A$@"$A; python x"$A$@"; python "" "$A$@"; python "$A${L[@]}"; python "$A${L[*]}"; python "$A${@:1}"; python "$A${L[@]:-}"; python "${L[@]}${L[@]}"; python "$A""$@"; python "${@/a/b}$A"; python "$E$@" "$E$A" "${E:-}$@" "a$@" "$@ "; }
e
set -- '' 
python "$A$@" "$@$@"

#### declarations expand their words first
X=1; A=(a b)
f() { local A=("${A[@]}" x); python "A ${A[@]}"; local X=2 Y=$X; python $Y; local -a B=("$X" "${B[@]}"); python "${B[@]}"; local X=$X$X; python $X; local Z=1 W=$Z V=$((Q=4)) U=$Q; python "[$W] $V $U"; }
Z=z B=(bb); f
declare -i N=1+1 M=N+1; python $N $M
g() { local -i n=5 m=n+1; python $m; local n=$((n+1)) k=$n; python $n $k; }
g
h() { local -A m=([a]=$1) r="${m[a]}"; python "${m[a]}|$r"; }
m=([0]=zz)
h q
k() { local D=${D:-x} E=${E-y}; python "$D$E"; }
D=set; k; E=set k
p() { local "$1=$2" Q1=$Q1; python "$Q1"; }
Q1=7; p Q1 8

#### traps of processes within
trap 'python outer' EXIT
( python in )
( trap 'python inner' EXIT; python in2 )
x=$(trap 'python sub' EXIT; echo y); python "$x"
bash -c 'trap "python nested \$1" EXIT; python n' _ q
( trap 'python exits; exit 0' EXIT; exit 3 ) && python zero
( trap 'python exits2' EXIT; exit 3 ) || python three
f() { trap 'python f "$1"' EXIT; }
( f a )
{ trap 'python pipe' EXIT; echo; } | cat > /dev/null
( trap 'python never' EXIT; exec python instead )
python b

#### a trap in the background
{ trap 'python inner' EXIT; python in2; } &
wait
python b

#### exec leaves no trap
trap 'python never' EXIT
exec python instead

#### set -eou pipefail
set -eou pipefail
python "$#"
set -uo pipefail -e -- x y
python "$@" 
set +o pipefail +e z
python "$@"

#### variables that move
RANDOM=5; SECONDS=0
python "$RANDOM" "${SECONDS:-x}" "${RANDOM:-y}" $((SECONDS-1)) "${BASHPID-n}" "${UID:-3}"
if (( SECONDS > 100 )); then python late; else python early; fi
local_seconds() { local SECONDS=7; [[ $SECONDS == 7 ]] && python seven; }
local_seconds
read -r RANDOM <<< 4; python $RANDOM
while (( SECONDS < 0 )); do python never; done
for RANDOM in 1 2; do python "r$RANDOM"; done

#### tilde
cd /usr; cd /tmp
python ~+ ~- ~+/a a~+ "~+" P=~+ --p=~
P=~+:~-/x; python "$P"

#### bracket pattern with star
python [ab]*.txt
python [!a]*.txt x[1] [ab].txt
for f in [ab]*.txt; do python "$f"; done

#### v of elements
declare -A M=([a]=1 ["b c"]=2); L=(x "" z); k=a
[[ -v M[a] ]] && python 1
[[ -v M[zz] ]] || python 2
[[ -v M[$k] ]] && python 3
[[ -v 'M[b c]' ]] && python 4
[[ -v L[1] ]] && python 5
[[ -v L[7] ]] || python 6
[[ -v L[-1] ]] && python 7
[[ -v L ]] && python 8
[[ -v M ]] || python 9
test -v L[0] && python 10
i=2; [[ -v L[i] ]] && python 11
[[ -v L[@] ]] && python 12
[ -v "M[$k]" ] && python 13
unset 'L[0]'; [[ -v L ]] || python 14
[ -v nope[0] ] || python 15

#### files that programs remove, copy and edit
printf 'python %s "$1"\n' one > s.sh
cp s.sh t.sh; bash t.sh c
mv t.sh u.sh; bash u.sh m; bash t.sh 2> /dev/null
mkdir -p d; cp s.sh d; bash d/s.sh d; cp s.sh d/v.sh; bash d/v.sh v
echo 'python keep' > k.sh
cp nothing k.sh 2> /dev/null
rm s.sh; bash s.sh 2> /dev/null
rm -rf d; bash d/s.sh 2> /dev/null; bash d/v.sh 2> /dev/null
ln -s u.sh w.sh; bash w.sh l

#### elements that may be missing move those behind
L=(${A:+a} aaa)
python ${L[0]:-a} "$L" "${L[0]}" "${L[1]-none}" "${L}" "${#L[@]}" "${L[-1]}" "${L[@]:0:1}" "${L[@]:1}" ${!L[@]}
M=(x ${B:+b})
python "$M" "${M[1]:-none}" "${M[0]}" "${M[-1]}"
for x in "${L[@]}"; do python "$x"; done
[ -n "$C" ] && N=(1 2) || N=(1)
python "${N[0]}" "${N[1]:-one}"
L[0]=z; python "$L" "${L[@]}"
unset 'M[0]'; python "${M[@]}" "${M-no}"

#### backquotes between double quotes
f="a b.txt"
python "`echo \"q r\"`" "`basename \"/x/$f\" .txt`" `echo "x  y"` `echo a\\\\b` "`echo a\\\\b`" `echo \$f` "`echo '\$f'`" "`echo \`echo in\``" "`echo \"\`echo \\\"deep  er\\\"\`\"`"
x="`echo \"in  value\"`"; python "$x"
y=`echo "in  value"`; python "$y"

#### set with a single dash
set - p q; python "$@"
set -; python "$@"
set -x - r 2> /dev/null; python "$@" 2> /dev/null
set + s; python "$@"

#### options of bash that has its code in an argument
bash -o pipefail -c 'false | true || python pf'
bash -ec 'false; python never' || python stopped
bash -uc 'set -- a; python "$1"; python "$2"; python never' || python unbound
bash -euo pipefail -c 'true; python a; false | true; python never' || python piped
bash -f -c 'python *.txt'
bash +e -c 'false; python b'
bash -c 'false; python c'
echo 'false; python never' > s.sh
bash -e s.sh || python e
bash -xe s.sh 2> /dev/null || python xe
printf '%s\n' '#!/bin/bash -e' 'false; python never' > t.sh; chmod +x t.sh
./t.sh || python shebang
bash t.sh || python
bash <<'EOF'
false; python d
EOF
bash -e <<'EOF' || python f
false; python never
EOF

#### a trap that one way sets
[ -n "$VERBOSE" ] && trap 'python bye' EXIT
python end

#### a trap that both ways set
if [ -n "$VERBOSE" ]; then trap 'python loud' EXIT; else trap 'python quiet' EXIT; fi
python end

#### tilde in a default
python ${DIR:-~} ${DIR:-~/a} ${DIR:-x~} ${DIR-'~'} ${DIR-"~"}
D=${DIR:-~/data}; python "$D"

#### functions and variables named by a default
MODE=${MODE:-train}
run_train() { python run-train; DONE=train; }
run_17() { python run-17; DONE=17; }
run_$MODE
python "$DONE"

#### learned to be empty or unset
if [ -z "$LOST" ]; then python "${LOST-unset}" "${#LOST}"; fi
[ "$NIL" = "" ] && python "${NIL-unset}"

#### a trap that a default sets
if [ "${DEFAULTED:-1}" = 1 ]; then trap 'python cleanup' EXIT; fi
python end

#### a trap of a script that its default ends
if [ "${DEFAULTED:-1}" = 1 ]; then trap 'python cleanup $?' EXIT; python a; exit 3; fi
python after

#### what a way by default changes is assumed
( X=x; A=(a b); declare -A M=([k]=v)
set -- one
if [ "${DEFAULTED:-1}" = 1 ]; then
  unset X; A+=(c); M[k]=w; set -- two three
  mapfile -t L <<< $'p\nq'; read -r -a R <<< "r s"; read -r V <<< v
  [[ -z $QUIT ]] || exit 0
fi
python "${X-gone}" "${A[@]}" "${M[k]}" "$1" $# "${L[@]-}" "${R[@]-}" "${V-}" "q$QUIT"
python "$@" )

#### a case by default
( A=(a); set -- one
case ${DEFAULTED:-1} in 1) unset A; set -- two; L=(x y);; *) L=(z);; esac
python "${A[@]-gone}" "$1" "${L[@]}" )

#### rounds by default
( set -- a b c; A=(x)
for i in ${DEFAULTED:-1}; do shift; unset B; A+=($i); done
python "$@" "${B-gone}" "${A[0]}"
while [ "${DEFAULTED:-1}" = 1 ]; do set -- z; break; done
python "$@" )

#### text beside an element that may be missing
fun() { python $*aa a; python b$* c; python "x$@" d; python "$@"y e; python "$@" f; }
fun a ${A:+a}
fun ${A:+a} a
fun ${A:+a}
L=(one ${B:+two})
python pre"${L[@]}" "${L[@]}"post ${L[*]}end
srun python t.py "${L[@]}" ${L[@]}

#### a function that another value of a default leaves before
A=${A:-1}
f() { I=1; if [ "$A" = 2 ]; then return; fi; I=3; }
f
B=$I
g() { for J in 1 2 3; do [ "$A" = 2 ] && return; done; }
g
h() { for K in 1 2 3; do case $A in 2) return ;; esac; done; }
h
m() { N=0; while [ $N -lt 3 ]; do [ "$A" = 2 ] && return; N=$((N + 1)); done; }
m

#### a loop that another value of a default leaves before
A=${A:-1}
for I in 1 2 3; do [ "$A" = 2 ] && break; K=$I; done
for J in 1 2 3; do if [ "$A" = 2 ]; then continue; fi; L=$J; done
for M in 1 2; do for N in 1 2; do [ "$A" = 2 ] && break 2; P=$M$N; done; Q=$M; done
for R in 1 2; do for S in 1 2; do [ "$A" = 2 ] && continue 2; T=$R$S; done; V=$R; done
