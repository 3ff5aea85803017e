# if, case, [ ], [[ ]] and (( )).

#### strings compared
A=x
if [ "$A" = x ]; then python one; else python two; fi
if [ "$A" != x ]; then python three; elif [ "$A" == x ]; then python four; fi
if [[ $A == y ]]; then python five; elif [[ $A == z ]]; then python six; else python seven; fi

#### empty or not
A=
B=b
[ -z "$A" ] && python a
[ -n "$A" ] || python b
[[ -z $B ]] || python c
[ "$B" ] && python d
[[ $A ]] || python e
if [ $B ]; then python f; fi
if [ ! "$A" ]; then python g; fi

#### numbers
N=8
[ $N -eq 8 ] && python eq
[ "$N" -lt 10 -a "$N" -gt 2 ] && python both
[ $N -gt 10 ] || [ $N -ge 8 ] && python ge
[[ $N -le 7 || $N -ne 8 ]] || python none
test $N -eq 8 && python test

#### patterns
F=model.nemo
[[ $F == *.nemo ]] && python nemo
[[ $F == "*.nemo" ]] || python literal
[[ $F != *.bin ]] && python notbin
[[ $F == mod?l.* ]] && python question
[[ $F == [a-m]* ]] && python range
P='*.nemo'
[[ $F == $P ]] && python variable
[[ $F == "$P" ]] || python quoted

#### regular expressions
V=v1.25.3
if [[ $V =~ ^v([0-9]+)\.([0-9]+) ]]; then python "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"; fi
[[ abc =~ b ]] && python found
[[ abc =~ ^b ]] || python anchored

#### case
MODE=train
case $MODE in
  train) python train.py ;;
  eval|test) python eval.py ;;
  *) python other ;;
esac
case "$MODE" in
  t*) python starts ;;&
  *n) python ends ;;
esac
case $MODE in
  train) python fall ;&
  never) python through ;;
  more) python no ;;
esac

#### case with patterns and quotes
X='a*'
case $X in
  'a*') python literal ;;
  a*) python pattern ;;
esac
case abc in "$X") python no ;; $X) python yes ;; esac
case "" in "") python empty ;; *) python full ;; esac

#### case without a match
case z in
  a) python a ;;
  b) python b ;;
esac
python after

#### and, or, not
true && python a || python b
false && python c || python d
! false && python e
true || python f
false || false || python g
if ! true; then python h; else python i; fi

#### defaults decide
MODE=${MODE:-train}
if [ "$MODE" = train ]; then python train.py; else python eval.py; fi

#### unknown decides nothing
if [ "$WHO" = me ]; then X=1; else X=2; fi
python "$X"
if [ -n "$GIVEN" ]; then python given "$GIVEN"; fi
case $KIND in a) Y=1 ;; b) Y=2 ;; *) Y=3 ;; esac
python "$Y"

#### what a test teaches
if [ "$WHO" = me ]; then python "$WHO"; fi
if [ -z "$NAME" ]; then NAME=default; fi
python "$NAME"
[ -z "$OTHER" ] && OTHER=x
python "$OTHER"

#### files
if [ -f alpha.txt ]; then A=1; else A=2; fi
python "$A"
[ -d /nonexistent-folder ] && python no
if [[ -e conf.yaml ]]; then python conf; fi

#### is it set
A=1
if [ -v A ]; then python set; fi
if [[ -v NOT_EVER_SET_HERE ]]; then python given; else python no; fi
if [ -z "${A+x}" ]; then python unset; else python isset; fi

#### nested
A=1
B=2
if [ $A = 1 ]; then
  if [ $B = 1 ]; then python x; elif [ $B = 2 ]; then python y; fi
else
  python z
fi

#### grouped tests
A=1
[[ ( $A == 1 || $A == 2 ) && ! $A == 3 ]] && python yes
[ \( "$A" = 1 \) -o "$A" = 2 ] && python also

#### the last status
true
if [ $? -eq 0 ]; then python ok; fi
false
if [ $? -ne 0 ]; then python bad; fi

#### a failing program
failing || python fallback
if failing; then python no; else python yes; fi

#### exit in a branch that is taken
A=1
if [ "$A" = 1 ]; then
  python before
  exit 0
fi
python never

#### exit in a branch that is not taken
A=1
if [ "$A" != 1 ]; then exit 1; fi
[ "$A" = 1 ] || exit 2
python after

#### set -e stops
set -e
python one
false
python two

#### set -e does not stop in a condition
set -e
if false; then python a; fi
false || python b
! true
python c
false && true
python d

#### conditions that assign
if A=1; then python "$A"; fi
if (( B = 5 )); then python "$B"; fi
while (( B-- > 3 )); do python "$B"; done

#### comparisons of choice
if [ "$WHO" = a ]; then X=1; else X=2; fi
if [ "$X" = 3 ]; then python three; else python other; fi
if [ "$X" -gt 0 ]; then python positive; fi

#### string order
[[ abc < abd ]] && python less
[ abc \< abd ] && python less2
[[ b > a ]] && python more

#### test with strange operands
A="a b"
[ "$A" = "a b" ] && python eq
B="-n"
[ "$B" = -n ] && python dash
[ "" = "" ] && python empties
[ ] || python nothing
