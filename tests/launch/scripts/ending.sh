# What a shell does when it ends, and where it ends early.

#### a trap of the way that ends
if [ -n "$Z" ]; then trap 'python c' EXIT; exit 3; fi
python d

#### another trap of the way that ends
trap 'python a' EXIT
if [ -n "$Z" ]; then trap 'python c' EXIT; exit 3; fi
python d

#### a trap that only the way which ends does not have
trap 'python a' EXIT
if [ -n "$Z" ]; then trap - EXIT; exit 3; fi
python d

#### a trap in a function's way out
finish() { trap 'python in function' EXIT; exit 1; }
[ -z "$Z" ] || finish
python d

#### a trap in a substitution
x=$(trap 'python sub' EXIT; echo y)
python "$x"

#### a trap for failures
trap 'python err "$?"' ERR
false
python next "$?"
failing
python end

#### a trap for failures and functions
trap 'python err' ERR
f() { false; python f; }
f
g() { python g; false; }
g
python end

#### a trap for failures inside functions too
set -E
trap 'python err' ERR
f() { false; python f; }
f
(false; python c)
x=$(false; echo y)
python "$x"

#### a trap for failures before the end
set -e
trap 'python err' ERR
{ python a; false; }
python never

#### failures that are looked at
trap 'python err' ERR
false || python a
if false; then :; fi
! false
false && python b
(false; python c)
while false; do :; done
{ false; } || true
true && false
python d
x=$(false)
python e
[ 1 = 2 ]
if true; then false; fi
[[ a == b ]]
python f

#### a trap that is taken back
trap 'python err' ERR
trap - ERR
false
python x

#### a trap for failures that ends the shell
trap 'python err; exit 4' ERR
python a
failing
python b

#### a trap that fails itself
trap 'false; python err' ERR
false
python x

#### a trap for both
trap 'python over' EXIT ERR
false
python x

#### a guard in a subshell
( failing || exit 7; python x )
( [ -n "$NOPE" ] || exit 1; python a )
( : "${NOPE:?}"; python b ) 2> /dev/null
x=$( failing || exit 7; python y > /dev/null; echo z )
( python sure )
python end "$x"

#### a variable that may not be set
set -u
python a
X=$NOPE
python b "$X"
