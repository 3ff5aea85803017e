# Quoting, word splitting, patterns, braces and tildes.

#### blanks of all kinds
A="  one   two	three  "
python $A
python "$A"
python x$A y

#### newlines in a value
A="one
two
three"
python $A
python "$A"

#### empty expansions vanish unless quoted
A=
python a $A b "$A" c ""$A d '' e

#### glued quoted pieces
A="a b"
python "$A"c c"$A" "$A""$A" '$A'"$A" x"$A"y$A

#### another separator
IFS=,
A=a,b,,c
python $A "$A"
B="x y"
python $B

#### a colon as separator
P=/a:/b:/c
IFS=:
set -- $P
unset IFS
python "$@" "$#"

#### separators in one function only
split() {
  local IFS=,
  set -- $1
  python "$#" "$1" "$2"
}
split a,b
A="c d"
python $A

#### no separator at all
IFS=
A="a b c"
python $A

#### joining arguments with the separator
set -- a b c
IFS=,
python "$*"
J="$*"
IFS=-
python "$*" "$J"

#### joining an array with the separator
A=(1 2 3)
IFS=,
J="${A[*]}"
unset IFS
python "$J" "${A[*]}"

#### literal words are never split
IFS=-
python a-b "c-d" e\ f
A=g-h
python $A

#### single quotes keep everything
python 'a  b' '$x' '`y`' '\n' 'it'\''s' "it's"

#### double quotes and backslashes
python "a\\b" "a\"b" "a\$b" "a\`b" "a\nb" "a\
b"

#### backslashes outside quotes
python a\ b a\\b \$x \"y\" \'z\' a\nb

#### ansi quotes
python $'a\tb' $'it\'s' $'\x41\u00e9' $'line\n' "$'x'"

#### braces with commas
python {a,b,c} x{1,2}y {a,b}{1,2} pre{,post} {a,{b,c}}

#### braces with ranges
python {1..4} {4..1} n{01..03} {a..e} {0..10..5}

#### braces that are not expanded
A=x
python {a} {} a{b '{a,b}' "{a,b}" \{a,b} {a b}

#### braces around expansions
A=x
B=y
python {$A,$B}z --{$A,no-$A} "$A"{1,2} pre{"a b",c}

#### ranges with a variable do not expand
N=3
python {1..$N}

#### no braces in assignments
A={a,b}
python $A "$A"

#### patterns that match files
python *.txt
python alpha.*
A=*.txt
python $A "$A"

#### patterns that match nothing
python *.none [xyz]none ?none
python trainer.devices=[0,1] '--x=*.txt'

#### patterns switched off
set -f
python *.txt
set +f

#### tildes in words and assignments
A=~/x
B=/y:~/z
python "$A" ~ "${B%%:*}"

#### a comment is no word
python a # b c
python a#b '#c' #d

#### quotes from expansions are not quotes
A='"a b" c'
python $A
B="--name='x y'"
python $B

#### semicolons and operators in quotes
python "a;b" 'c|d' "e && f" \; \&

#### an option with an unquoted value of two words
NAME="my run"
python --name=$NAME --name="$NAME" --name "$NAME"

#### words from an unquoted substitution
python $(echo a "b c" d) "$(echo a "b c")" x$(echo 1 2)y

#### non-breaking characters are no separators
A="a b"
python $A

#### expansions that begin or end with blanks
A=" x"
B="x "
python a$A b
python a"$A" $B"c" $B$A

#### a tab separated table
LINE="8	16	fast"
set -- $LINE
python --tp "$1" --pp "$2" "$3"

#### pieces that some ways put together
[ -n "$U" ] && D+=x
[ -n "$V" ] && D+=y
python $D
python ${D}z a$D

#### words that some ways put behind each other
[ -n "$U" ] && B+="--x "
[ -n "$V" ] && B+="--y "
python $B
python ${B}z
[ -n "$U" ] && C="$C --x"
[ -n "$V" ] && C="$C --y"
python $C
