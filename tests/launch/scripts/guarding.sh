# Guards: what a script may count on behind them.

#### a variable that must be given
: ${X:?}
python "${X:+given}" ${X:+given} "${X:-none}"
if [ -z "$X" ]; then python never; fi
[[ -n $X ]] && python always

#### with a message, in quotes
: "${X:?give X}" "${Y:?give Y}"
python "${X:+x}${Y:+y}${Z:+z}"

#### set but perhaps empty
: ${X?}
python "${X+set}" "${X:+filled}"

#### assigned where it must be given
MODEL=${X:?which model}
NAME="$MODEL"
python "${MODEL:+m}" "${NAME:+n}" "${NAME:-d}"

#### emptied afterwards
: ${X:?}
python "${X:+a}"
X=
python "${X:+b}" c
X=$Z
python "${X:+c}" d

#### changed in a loop afterwards
: ${X:?}
for i in 1 2; do
  python "${X:+a}" $i
  X=
done
python "${X:+b}" end

#### one of several values, one of which is empty
if [ -e alpha.txt ]; then A=; else A=b; fi
if [ -e beta.txt ]; then A=c; fi
: ${A:?}
python "${A:+given}" "$A"

#### on one way only
if [ -e alpha.txt ]; then : ${X:?}; fi
python "${X:+given}" x

#### in a subshell
( : ${X:?}; python "${X:+inside}" )
python "${X:+outside}" y

#### the guard of an argument does not hide a function's
use() { python "$1" "${1:+given}"; }
set -- first
: ${1:?usage}
use second

#### an argument that is not there
: ${1:?usage}
python never

#### a guard by a test
[ -n "$X" ] || exit 1
python "${X:+given}" "${X:-none}"

#### a guard that it is set
[[ -v X ]] || exit 1
python "${X+set}" "${X:+filled}" z

#### read again from blanks
: ${X:?}
read -r X <<< " "
python "${X:+a}" b

#### unset behind the guard
: ${X:?}
unset X
python "${X:+a}" b

#### the default of another
: ${X:?}
Y=${X:-z}
python "${Y:+y}" c

#### handed to another shell
: ${X:?}
export X
bash -c 'python "${X:+given}"'

#### appended to
: ${X:?}
X+=b
python "${X:+a}" c

#### an assumed way
if [ "${MODE:-a}" = a ]; then : ${X:?}; fi
python "${X:+given}" m
