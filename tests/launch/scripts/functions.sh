# Functions and arguments.

#### arguments
f() { python "$#" "$1" "${2:-none}" "$@" "$*"; }
f a "b c"
f
f "" x

#### local variables
A=outer
f() { local A=inner B; B=$1; python "$A" "$B"; }
f x
python "$A" "${B-unset}"

#### global changes
f() { A=changed; export C=1; }
A=1
f
python "$A" "$C"

#### return
f() { [ "$1" = ok ]; }
g() { if [ "$1" = 1 ]; then return 0; fi; return 1; }
f ok && python a
f no || python b
g 1 && python c
g 2 || python d
h() { python before; return; python never; }
h

#### functions that print
name() { echo "run-$1-$((2*$1))"; }
python "$(name 3)"
N=$(name 4)
python --name "$N"

#### recursion
down() {
  if [ "$1" -gt 0 ]; then
    python "$1"
    down $(( $1 - 1 ))
  fi
}
down 3

#### factorial
fact() { if (( $1 <= 1 )); then echo 1; else echo $(( $1 * $(fact $(($1-1))) )); fi; }
python "$(fact 5)"

#### nested locals seen from callees
A=global
inner() { python "$A"; A=set; }
outer() { local A=mine; inner; python "$A"; }
outer
python "$A"

#### local with a substitution
f() { local x="$(echo a b)" y=$1; python "$x" "$y"; }
f z

#### local arrays and maps
f() { local -A m=([k]=v); local a=(1 2); python "${m[k]}" "${a[1]}"; }
f
python "${a[1]:-gone}"

#### nameref
f() { local -n ref=$1; ref=new; python "$ref"; }
TARGET=old
f TARGET
python "$TARGET"

#### a nameref to an array
add() { local -n list=$1; list+=("$2"); }
A=(a)
add A b
add A "c d"
python "${A[@]}"

#### shift
f() { local first=$1; shift; python "$first" "$#" "$@"; shift 2; python "$@"; }
f a b c d

#### options parsed by hand
parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      --name) NAME=$2; shift 2 ;;
      --flag) FLAG=1; shift ;;
      *) REST="$REST $1"; shift ;;
    esac
  done
}
REST=
parse --name "x y" a --flag b
python "$NAME" "$FLAG" $REST

#### set --
set -- one "two three"
python "$1" "$2" "$#"
set -- "$@" four
python "$3"
set -- -x "$1"
python "$1" "$2"
set --
python "$#" "${1-none}"

#### getopts
set -- -a -b val rest
while getopts "ab:c" opt; do
  case $opt in
    a) A=1 ;;
    b) B=$OPTARG ;;
    c) C=1 ;;
  esac
done
shift $((OPTIND - 1))
python "$A" "$B" "${C-no}" "$1" "$#"

#### getopts in clusters and with glued values
f() {
  local OPTIND opt
  while getopts ":vn:" opt "$@"; do
    case $opt in v) V=1 ;; n) N=$OPTARG ;; :) python missing "$OPTARG" ;; \?) python bad "$OPTARG" ;; esac
  done
}
f -vn5 -x -n
python "$V" "$N"

#### redefinition
f() { python one; }
f
f() { python two; }
f
unset -f f
f 2>/dev/null || python gone

#### function with the word function
function launch { python "$1"; }
function other() { python other "$1"; }
launch a
other b

#### functions in functions
outer() { inner() { python inner "$1"; }; inner x; }
outer
inner y

#### functions defined conditionally
if [ 1 = 1 ]; then f() { python yes; }; else f() { python no; }; fi
f

#### functions in a pipeline or subshell
f() { A=2; python "$1"; }
A=1
( f sub )
f "x" | cat
python "$A"

#### arguments of the script are not known
python "${1:-train.py}" "$#"
f() { python "$1"; }
f given

#### functions that wrap a launch
run() {
  local n=$1; shift
  srun --nodes=1 --ntasks=$n "$@"
}
run 4 python train.py --x "a b"
run 1 evaluate

#### body in parentheses
f() ( A=2; python "$A" )
A=1
f
python "$A"

#### redirect on a function
f() { python inside; echo out; } > f.log
f
python after

#### export -f
f() { python exported "$1"; }
export -f f
bash -c 'f "a b"'

#### the same name as a command
echo() { python echo "$@"; }
echo x
unset -f echo
echo x > /dev/null
command true

#### return inside a loop
find_first() { for x in "$@"; do if [ "$x" = b ]; then return 0; fi; python "$x"; done; return 1; }
find_first a b c && python found
find_first a || python none

#### the status of a function decides
check() { [[ $1 == good* ]]; }
if check goodness; then python y; else python n; fi
if ! check badness; then python b; fi

#### local on some ways only
f() { if [ -n "$U" ]; then local A=1; else A=5; fi; A=7; }
A=0
f
python $A

#### local on some ways, and nothing else done
f() { [ -n "$U" ] && local D=3; }
D=9
f
python $D

#### local again where it may be local
f() { [ -n "$U" ] && local B=4; local B; python in "$B"; }
B=1
f
python $B

#### local behind a way out
f() { local B=3; B=4; if [ -n "$U" ]; then return; fi; local C=1; }
B=1 C=2
f
python $B $C

#### local of a caller in what it calls
inner() { A=2; [ -n "$U" ] && local A=3; python inner $A; }
outer() { local A=1; inner; python outer $A; }
A=0
outer
python $A

#### local under a pattern that tells the value
f() { case $A in a) declare A=${A:-a} ;; esac; }
f
python "$A"
