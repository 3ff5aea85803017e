# Ways through loops and functions.

#### until
n=3
until [ "$n" -le 0 ]; do python "$n"; n=$((n-1)); done
until true; do python never; done
python "$n"

#### continue 2 and break 2
for a in 1 2 3; do
  for b in x y; do
    if [ "$a" = 2 ]; then continue 2; fi
    if [ "$a$b" = 3y ]; then break 2; fi
    python "$a$b"
  done
  python "end $a"
done
python "$a$b"

#### continue 2 from a while
i=0
while (( i < 3 )); do
  ((++i))
  until false; do
    [ "$i" = 2 ] && break 2
    continue 2
  done
  python never
done
python "$i"

#### break beyond the loops
for a in 1 2; do break 5; done
python "$a"
for a in 1 2; do continue 9; done
python "$a"

#### recursion with local
walk() { local n=$1; (( n == 0 )) && return; walk $((n-1)); python "$n"; }
walk 3

#### recursion that prints
sum() { if [ "$1" -eq 0 ]; then echo 0; else echo $(( $1 + $(sum $(($1 - 1))) )); fi; }
python "$(sum 4)"

#### functions redefined by themselves
f() { f() { python second; }; python first; }
f
f
g() { python g; unset -f g; }
g
type g > /dev/null 2>&1 || python gone

#### unset of a function and a variable of one name
f=1
f() { python f; }
unset f
python "${f-unset}"
f
unset f
f 2> /dev/null || python gone

#### shift too far
set -- a b c
shift 2
python "$@" "$#"
shift 2 || python failed "$#"
python "$@"
shift
shift || python nothing left
python "$#"

#### nested functions with arguments restored
outer() { inner "x$1" b; python "$1" "$#"; }
inner() { shift; python "$1"; set -- changed; python "$1"; }
outer q r s

#### getopts in silent mode
set -- -ab -cval -d 'x y' -z rest
while getopts ':abc:d:' o; do
  case $o in
    a|b) python flag "$o" ;;
    c) python c "$OPTARG" ;;
    d) python d "$OPTARG" ;;
    \?) python bad "$OPTARG" ;;
    :) python missing "$OPTARG" ;;
  esac
done
python "$OPTIND" "${@:OPTIND}"

#### getopts that lacks an argument
set -- -a -c
while getopts ':ac:' o; do
  case $o in a) python a ;; :) python missing "$OPTARG" ;; esac
done
OPTIND=1
set -- -q
while getopts 'a' o 2>/dev/null; do python "$o" "${OPTARG-unset}"; done

#### getopts twice
OPTIND=1
set -- -n 4 -- -x
while getopts n: o; do N=$OPTARG; done
shift $((OPTIND-1))
python "$N" "$@"
OPTIND=1
set -- -n 5
while getopts n: o; do N=$OPTARG; done
python "$N"

#### select
select x in a b; do python "$x"; break; done < /dev/null
python "${x-unset}" "$REPLY"

#### select from an answer
select x in a "b c"; do python "$x" "$REPLY"; break; done <<< 2
python after "$x"

#### select and case
PS3='? '
select m in train eval; do
  case $m in train) python train ;; eval) python eval ;; *) break ;; esac
done <<< "1
2
x"
python end

#### shift in loops with values
set -- --a 1 --b "2 3" --flag rest
while [[ $# -gt 0 ]]; do
  case "$1" in
    --a|--b) eval "OPT_${1#--}=\$2"; shift 2 ;;
    --*) FLAGS+=("${1#--}"); shift ;;
    *) break ;;
  esac
done
python "$OPT_a" "$OPT_b" "${FLAGS[@]}" "$@"
