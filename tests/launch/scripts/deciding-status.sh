# The status of the last command.

#### status in many places
true && python "$?"
false || python "$?"
f() { return 7; }
f
python "$?" "$?"
f || S=$?
python "$S"
A=$(exit 4)
python "$?"
(exit 5)
python "$?"
[ 1 = 2 ]
python "$?"
[[ a == b ]]
S=$?
python "$S"
((0))
python "$?"
! true
python "$?"
if false; then :; fi
python "$?"
if [ $? -eq 0 ]; then python zero; else python other; fi
for x in 1; do false; done
python "$?"
case x in y) false ;; esac
python "$?"
failing
python "$?"
failing || python "$?"
python x > /dev/null; python "$?"
A=1
python "$?"
export B=$(false)
python "$?"
false | true
python "$?"
true &
python "$?"

#### a function that checks the last status
check() { if [ $? -ne 0 ]; then python failed "$1"; exit 1; fi; }
true
check one
python on
false
check two
python never

#### status by default
if [ "${MODE:-a}" = a ]; then true; else false; fi
python "$?"
[ "${MODE:-a}" = a ]
python "$?"
[ "${MODE:-a}" = b ] || python "$?"

#### status after a loop of unknown length
for f in $GIVEN; do false; done
python "$?"
while failing; do false; done
python "$?"
if [ -n "$GIVEN" ]; then false; fi
python "$?"
f() { if [ -n "$GIVEN" ]; then return; fi; return 2; }
f && python yes
f; python "$?"

#### return without a number
f() { false; return; }
g() { true; return; }
h() { [ "$1" = x ] && return; python in h; }
f && python no
g && python yes
h x && python h
h y
f || python "$?"

#### exit without a number
(false; exit) && python no
(true; exit) && python yes
A=$(false; exit) || python caught

#### return values
f() { return 3; }
f
python "$?"
f || python "$?"
f && python no
if f; then python no; else python "else $?"; fi
g() { false; return; }
g && python no
python end

#### status of defaults
X=${MODE:-a}
case $X in a) true ;; *) false ;; esac
python "$?"
[ "$X" = a ] && false
python "$?"
f() { [ "${1:-${MODE:-a}}" = a ]; }
f
python "$?"
f b || python "$?"
f && S=$? || S=$?
python "$S"

#### status after a branch
if [ -n "$GIVEN" ]; then true; else false; fi || true
python "$?"
[ -n "$GIVEN" ] && true
S=$?
python "$S"
[ -n "$GIVEN" ] || false
python "$?"
! [ -n "$GIVEN" ]
python "$?"

#### status in a loop
for i in 1 2; do
  python "$?"
  false
done
python "$?"
i=0
while [ $i -lt 2 ]; do python "$?"; i=$((i+1)); false; done
python "$?"
until [ $i = 0 ]; do i=$((i-1)); done; python "$?"

#### status in substitutions
false
A=$(echo $?)
python "$A"
A=$(false; echo $?)
python "$A"
true
B="$(exit 3)$?"
python "$B" "$?"
python "$(exit 2)" ; python "$?"

#### status through functions and subshells
false
f() { python "$?"; return $1; }
f 3
(python "$?"; exit 9)
python "$?"
{ false; }
python "$?"
f 256; python "$?"
eval false
python "$?"
eval 'exit_with() { return 5; }; exit_with'
python "$?"

#### pipelines and their status
failing | true
python "$?"
true | failing
python "$?"
set -o pipefail
failing | true
python "$?"
false | true
python "$?"
false | failing || python "$?"
! false | true
python "$?"

#### trap sees the status
trap 'python end "$?"' EXIT
false
exit 3

#### jobs of several kinds with their status
python a &
python b & wait $!
python "$?"
wait
python done

#### return from a sourced file
echo 'A=1; return 3; A=2' > lib.sh
source lib.sh
python "$?" "$A"
. ./lib.sh || python "$?"
