# Assignments, exports and unsetting.

#### a plain value
A=1
python train.py "$A" $A

#### values one after the other on a line
A=1 B=$A C="$B-$A"
python "$A" "$B" "$C"

#### appending to a value
CMD="python train.py"
CMD+=" --lr 0.1"
CMD="$CMD --steps 10"
CMD+=' --name "x y"'
$CMD

#### appending to what the environment may have
PYTHONPATH+=:/opt/lib
export PYTHONPATH
python a.py

#### an empty value
A=
B=""
python x $A "$A" $B "$B" y

#### a value for one command
A=1
A=2 python "$A"
python "$A"
A=3 B=4 train x

#### export in all its ways
export A=1
B=2
export B
declare -x C=3
typeset -x D=4
export E=5 F=6
export -n F
export G
readonly H=7
export H
python train.py

#### set -a exports what follows
A=1
set -a
B=2
C="$A$B"
set +a
D=4
python train.py

#### export of an expanded name
name=ALPHA
export "$name=one two"
export ${name}_B=three
python train.py "$ALPHA" "$ALPHA_B"

#### unset takes it away
A=1
export B=2
unset A B
python x "$A" "${A:-none}" "${B-gone}" $B

#### declare with attributes
declare -i N=3+4
declare -l low=ABC
declare -u up=abc
python "$N" "$low" "$up"
N=N+1
low=DEF
python "$N" "$low"

#### an integer that grows
declare -i total=1
total+=5
total=total*2
python "$total"

#### readonly and local without a function
readonly A=1
A=2 true
python "$A"

#### a swap
A=1
B=2
T=$A
A=$B
B=$T
python "$A" "$B"

#### an assignment after a command is an argument
python A=1 B=2
echo A=1
python "[$A]"

#### assignment to itself
P=/a
P=$P:/b
P="/c:$P"
python "$P"

#### a tilde only where it expands
A="~"
B='~/x'
python "$A" "$B" x~ "~/y"

#### lines joined by backslashes
CMD="python \
  train.py \
  --a 1"
python \
  a \
  b
$CMD

#### names with digits and underscores
_a1=x
A_2B=y
python "$_a1" "$A_2B" "${_a1}2" "$A_2B-z"

#### a value with every kind of quote in it
A=a'b c'd"e f"g\ h
python "$A" $A

#### the command in a variable, its options in another
LAUNCH="torchrun"
OPTS="--nproc-per-node 8 --nnodes 2"
$LAUNCH $OPTS train.py

#### export with a command substitution
export A=$(echo one two) B="$(printf '%s-' x y)"
python "$A" "$B"

#### local environment is not kept
A=1 B=2 true
python "${A-no}" "${B-no}"

#### exported value changes later
export A=1
python one
A=2
python two
unset A
python three
A=3
python four

#### several words in a declaration
declare A=1 B=two C="th ree"
declare D
python "$A" "$B" "$C" "${D-unset}"

#### declare -p style listing is not an assignment
A=1
declare -p A > /dev/null
python "$A"
