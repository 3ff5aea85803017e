# Arithmetic.

#### operators
python $((1+2*3)) $(((1+2)*3)) $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((2**10)) $((1<<4)) $((255>>4))

#### comparisons and logic
python $((1<2)) $((2<=1)) $((1==1)) $((1!=1)) $((1&&0)) $((1||0)) $((!1)) $((!0)) $((5&3)) $((5|3)) $((5^3)) $((~5))

#### the ternary
A=3
python $((A>2?10:20)) $((A>5?10:A<4?30:40))

#### bases
python $((0x1F)) $((010)) $((2#101)) $((16#ff))

#### variables with and without dollar
A=4
B="A+1"
python $((A*2)) $(($A*2)) $((${A}*2)) $((B)) $((B*2)) $(($B*2))

#### unset and empty are zero
E=
python $((NOTHING_SET_HERE + 1)) $((E+1))

#### assignments
((A=3))
((A+=2))
B=$((A*=2))
((C=A+B, D=C-1))
python "$A" "$B" "$C" "$D"

#### increments
i=5
python $((i++)) $((i)) $((++i)) $((i--)) $((--i))
((i++))
let i+=10
let "j = i * 2"
python $i $j

#### world size
NODES=4
GPUS=8
WORLD=$((NODES * GPUS))
DP=$((WORLD / (2 * 4)))
GBS=$(( DP * 16 ))
python --world $WORLD --dp=$DP "$GBS"

#### precedence
python $((2+3*4-1)) $((2*3%4)) $((-2**2)) $((1+1<<2)) $((1|2&3)) $((!0+1)) $((10-2-3)) $((2**3**2))

#### array elements
A=(3 4)
declare -A M=([x]=5)
python $((A[0]+A[1])) $((${A[0]}*2)) $((M[x]+1)) $((${#A[@]}+1))

#### spaces and lines
python $((  1 +
  2 )) "$(( 3 ))"

#### decisions by arithmetic
N=8
if (( N > 4 )); then python big; else python small; fi
(( N % 8 == 0 )) && python divisible
(( N % 3 == 0 )) || python not

#### the old form
python $[1+2]

#### overflow wraps
python $((9223372036854775807 + 1))

#### comma and nesting
python $((A=1, A+1)) $(( (1+(2+(3))) ))

#### division by the environment is unknown
python $((8 / ${TP_FROM_OUTSIDE:-2}))

#### a zero padded number is octal
A=08
B=10
python $((10#$A)) $((B+1))

#### strings compared as numbers
A=10
if [ $A -gt 9 ]; then python yes; fi
if [[ $A > 9 ]]; then python text; else python number; fi

#### a tilde before a number is its complement
A=3
python $((~A)) $((~A & 7)) $(( ~3 )) $((~-1)) $[~A]
if ((~A == -4)); then python yes; else python no; fi

#### a division by zero gives up its line
X=5
X=$((1 / 0)); python same line
python next "$?" "$X"
echo $((7 % 0)) && python never
python "${Y:-unset}" two

#### a division by zero gives up the whole command
f() { python before; Y=$((1 / Z)); python behind; }
Z=0
f; python same line
python next
if true; then
  W=$((1 / Z))
  python inside
fi
for i in 1 2; do python loop $i; A=$((1 / 0)); python $i; done
python end

#### a division by zero in a subshell ends it
( python a; X=$((1 / 0)); python b
python c )
python d "$?"
V=$(echo one; echo $((1 / 0)); echo two)
python "[$V]" "$?"
python e "$(echo $((1 / 0)))" f

#### a division by zero where a number is tested
(( 1 / 0 )) || python handled
if (( 1 / 0 )); then python yes; else python no; fi
let 'X = 1 / 0' || python let
python end

#### a division by zero under errexit
set -e
X=$((1 / 0))
python on
(( 1 / 0 ))
python never

#### a division by zero in code that is read besides
eval 'python a $((1 / 0))
python b'; python c
bash -c 'python d $((1 / 0)); python e
python f'
printf 'python g\nX=$((1/0))\npython h\n' > lib.sh
. ./lib.sh; python i
trap 'python t $((1 / 0))
python end' EXIT

#### a division by zero that is not reached
python "$((0 && 1 / 0))" "$((1 ? 2 : 1 / 0))"

#### a declaration that divides by zero
f() { local x=$((1 / 0)); python never; }
f
export P=3
export P=$((1 / 0))
python "$P" q

#### a division by zero before a command
A=1
A=$((1 / 0)) python never
python "$A" b

#### numbers are cut to 64 bits at every step
python "$((9223372036854775808))" "$((18446744073709551617))" "$((0x10000000000000001))" "$((-(1 << 63) / 2))"
python "$((9223372036854775807 + 1 > 0))" "$((9223372036854775807 * 9223372036854775807))" "$((3 ** 60 / 7))"
python "$((2#1011))" "$((16#ff))" "$((36#z))" "$((~(1 << 63)))" "$(((1 << 62) << 2))" "$((5 % (1 << 62)))"
