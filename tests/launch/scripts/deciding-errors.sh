# What ends a script: set -e, set -u, pipefail.

#### set -u and defaults
set -u
python "${NOT_GIVEN_AT_ALL:-}" "${NOT_GIVEN_AT_ALL:-x}" "${NOT_GIVEN_AT_ALL+y}"

#### set -u ends the script at a variable that is not set
set -u
python before
unset GONE
python "$GONE"
python never

#### set -e and a failing substitution
set -e
A=$(false) || python caught
python one
local_fails() { local x=$(false); python inside; }
local_fails
B=$(false)
python never

#### set -e in a function called in a condition
set -e
f() { false; python after-false; }
if f; then python yes; fi
f || python no
f
python never

#### set -e and arithmetic that is zero
set -e
i=0
((i++)) || true
python "$i"
((++i))
python "$i"
(( i += 0 ))
j=0
((j++))
python never

#### set -e and let
set -e
let "x = 1"
python "$x"
let "x = 0" || python zero
let "x = 0"
python never

#### pipefail
set -eo pipefail
true | true
python one
false | true || python failed
set +o pipefail
false | true
python two
set -o pipefail
false | true
python never

#### set -e and a subshell
set -e
( false; python in ) || python out
(exit 0)
python one
( exit 2 )
python never

#### set -e switched off
set -e
set +e
false
python one
set -e
! true
python two
if ! false; then python three; fi
[ 1 = 2 ] && python four
python five
[ 1 = 2 ]
python never

#### set -e and a function whose last test fails
set -e
f() { [ "$1" = x ] && python matched; }
f x
python between
f y
python never

#### set -u in functions, subshells and loops
set -u
f() { python "${1:-none}" "$1"; }
(f) 2> /dev/null || python failed
unset X
A=$(echo "$X") || python caught
python after
for i in $X; do python never; done
python never

#### set -u and arithmetic
set -u
unset X
(( Y = 1 ))
python "$Y" "${#Y}"
python $((X + 1))
python never

#### set -u and empty lists
set -u
A=()
set --
python "${A[@]}" "$@" "$#" "${#A[@]}" "${A[*]:-none}" "${A[@]+x}"
python "${A[0]}"
python never

#### status and set -e with defaults
set -e
[ "${MODE:-a}" = a ]
python on
if [ "${MODE:-a}" = b ]; then false; fi
python "$?"

#### set -u with what is given
set -u
f() { local a=$1 b=${2:-}; python "$a" "$b"; }
f 1
unset -v NEVER
python "${NEVER+x}" "${NEVER:-d}" "${#NEVER}"
python never

#### a default that may end the script
set -u
unset GONE
python "${GIVEN:-$GONE}"
python after
