# Variables with attributes: references, numbers, letters, readonly.

#### namerefs
declare -n R=T
T=1
R=2
python "$T" "$R" "${!R}"
declare -a L=(a)
declare -n RL=L
RL+=("b c")
RL[3]=d
python "${RL[@]}" "${#RL[@]}" "${!RL[@]}" "${L[@]}"
unset R
python "${T-gone}"
unset -n RL
python "${L[0]}" "${RL-none}"

#### namerefs in a function to change the caller's
set_it() { local -n out=$1; out="$2"; }
declare -A M
map_it() { local -n m=$1; m[$2]=$3; }
set_it RESULT "a b"
map_it M k "v w"
python "$RESULT" "${M[k]}"

#### namerefs in a loop
A=1
B=2
declare -n ref
for ref in A B; do ref=$((ref*10)); done
python "$A" "$B"

#### declare -i
declare -i N=2*3
N=N*2
python "$N"
N+=5
N="7 % 4"
python "$N"
declare -i E=
python "$E"
declare +i N
N=1+1
python "$N"

#### declare -l and -u
declare -l L=ABC
declare -u U
U=def
L+=XYZ
python "$L" "$U"
declare +l L
L=MiXed
python "$L"
declare -lx X=ENV
python y

#### declare -r
declare -r R=1
readonly S="a b"
python "$R" "$S"
declare -rx Q=5
python x

#### readonly keeps its value
readonly R=1
(R=2) 2> /dev/null
unset R 2> /dev/null
export R
python "$R"
declare -r S=a
S=b 2> /dev/null || true
python "$S"

#### readonly at the top
readonly R=1
R=2
python "$R"
R+=3
python "$R"

#### readonly arrays
declare -ra A=(1 2)
A+=(3)
python "${A[@]}"
A[0]=x
python "${A[@]}"
env R=5 python a
bash -c 'R=4; python "$R"'

#### references and readonly together
declare -r C=1
declare -n R=C
python "$R"
f() { local -r L=1; python "$L"; }
f
f
L=2
python "$L"

#### namerefs to elements
A=(1 2)
declare -n E='A[1]'
python "$E" || true
E=5
python "${A[1]}"
unset -n E

#### exported variables in every way
export A=1
declare -x B=2
set -a; C=3; set +a
typeset -x D=4
E=5 python e
export F
F=6
local_export() { local -x G=7; export H=8; python in; }
local_export
export -n A
python out
