# case and [[ ]] with patterns of every kind.

#### case falling through
case a in
  a) python 1 ;&
  b) python 2 ;;&
  c) python 3 ;;
  a*) python 4 ;;&
  *) python 5 ;;
esac
case b in a) python no ;& *) python star ;; esac
case xyz in x*) python x ;;& *y*) python y ;;& *z) python z ;;& q) python q ;; esac

#### case on several words and classes
for x in 7 foo "a b" "" -n '*'; do
  case $x in
    [0-9]*) python digit ;;
    foo|bar) python word ;;
    *\ *) python blank ;;
    "") python empty ;;
    -?) python option ;;
    '*') python star ;;
  esac
done

#### test operators
A=
[ -z "$A" -a -n "x" ] && python 1
[ ! -z "$A" ] || python 2
[ "$A" ] || python 3
[ x -o "" ] && python 4
[[ -z $A && -n x ]] && python 5
[[ ! ( -n $A ) ]] && python 6
test 1 -lt 2 && python 7
[ 2 -gt 1 ] && [ 1 -ne 2 ] && python 8
[[ a < b ]] && python 9
[[ 010 -eq 8 ]] && python 10
[ 010 -eq 10 ] && python 11
[[ "a b" == a\ b ]] && python 12
[[ ab == a* && ab != b* ]] && python 13
[[ -v A ]] && python 14
[[ ${A+x} ]] && python 15

#### extglob in case
shopt -s extglob
case aab in +(a|b)) python yes ;; *) python no ;; esac

#### extglob off in case
A=ab
P='+(a|b)'
case $A in $P) python yes ;; *) python no ;; esac
[[ $A == $P ]] && python double
python "${A##$P}x"

#### extglob in [[ ]]
A=ab12
[[ $A == +([a-z0-9]) ]] && python yes
[[ $A == @(ab|cd)12 ]] && python at
[[ $A == !(x*) ]] && python not
[[ $A == ?(x)ab* ]] && python opt
[[ $A == *(z)ab12 ]] && python star

#### extglob trims
shopt -s extglob
X="   hi   "
python "${X##+( )}" "${X%%+( )}"
Y=aaabbb
python "${Y//+(a)/x}" "${Y##*(a)}" "${Y/@(aa|b)/}"

#### extglob nested
shopt -s extglob
for x in aab "" ab xyz 123 12a "a b" a.tar.gz a.zip; do
  case $x in
    +([0-9])) python digits "$x" ;;
    +(a|b)) python ab "$x" ;;
    ?(x)y*) python y "$x" ;;
    *.@(tar|tar.gz|tgz)) python tar "$x" ;;
    !(*.zip|*\ *)) python not "$x" ;;
    *) python rest "$x" ;;
  esac
done
A="  x  y  "
python "${A##*( )}" "${A%%*( )}" "${A//+( )/ }" "${A//@(x|y)/-}" "${A/#+( )/_}" "${A/%+( )/_}" "${A#*( )}" "${A%+( )}"
B=foobarbaz
python "${B//!(b)/x}" "${B##+([!b])}" "${B/@(foo|foobar)/X}" "${B#@(foo|foobar)}" "${B##@(foo|foobar)}" "${B//+(o|a)}" "${B/%@(az|baz)}" "${B%%!(foo)}"
P='+("x"|y)'
[[ xy == +("x"|y) ]] && python quoted
[[ 'a|b' == @("a|b") ]] && python bar
[[ x == $P ]] || python literal quotes

#### case that makes no difference
shopt -s nocasematch
case ABC in abc) python yes ;; *) python no ;; esac
[[ abc == ABC ]] && python also
[ abc = ABC ] || python not in brackets
A=aBc
python "${A//b/x}" "${A#A}"
shopt -u nocasematch
[[ abc == ABC ]] || python off

#### extglob quoted apart
shopt -s extglob
A='x*y(z)'
python "${A#x\*}" "${A//\(z\)/}" "${A/@(x|y)\*/-}" "${A%'(z)'}" "${A%%*(\))}"
P='@(a|b)'
[[ a == $P ]] && python pattern
[[ a == "$P" ]] || python text
case b in $P) python in ;; esac
case "a b" in a?( )b) python blank ;; esac
case ab in @(a|b)@(a|b)) python two ;; esac
case '' in ?(a)) python empty ;; esac
case abc in !(abc)) python no ;; !(abd)) python not abd ;; esac
case aXb in a!(Y)b) python between ;; esac

#### regular expressions
N=16 NAME=llama-7b.yaml V=v1.25.3
[[ $N =~ ^[0-9]+$ ]] && python number
[[ ${N}x =~ ^[0-9]+$ ]] || python no number
[[ $NAME =~ ([0-9]+)b ]] && python size
[[ $NAME =~ ^(llama|qwen)-[0-9.]+b\.ya?ml$ ]] && python model
[[ $NAME =~ \.json$ ]] || python no json
[[ $V =~ ^v?[[:digit:]]+(\.[0-9]{1,2}){2}$ ]] && python version
[[ "# a comment" =~ ^#.*$ ]] && python comment
[[ "" =~ ^[[:space:]]*$ ]] && python blank
[[ ab =~ "a." ]] || python quoted
[[ a.b =~ "a." ]] && python quoted dot
RE='^(aa|bb)?abba$' DOT='a\.c'
[[ abba =~ $RE ]] && python from variable
[[ abba =~ "$RE" ]] || python as text
[[ abc =~ $DOT ]] || python escaped
[[ a.c =~ $DOT ]] && python escaped dot
SET=xyz
[[ y =~ ^[$SET]$ ]] && python set
if [[ ! $N =~ ^[1-9][0-9]*$ ]]; then exit 1; fi
[[ $N =~ ^1 && $NAME =~ yaml ]] && python both
[[ "a]" =~ ^[]a]+$ ]] && python bracket
[[ 'x!' =~ ^[!x]+$ ]] && python exclamation
[[ aab =~ ^(a*)*b ]] && python twice
[[ $'a\n' =~ a$ ]] || python newline
[[ 'a{' =~ ^a\{$ ]] && python brace
shopt -s nocasematch
[[ ABC =~ ^[a-c]+$ ]] && python folded

#### a regular expression over what the environment says
if [[ ${SIZE_FROM_OUTSIDE:-8} =~ ^[0-9]+$ ]]; then python number; else python none; fi
[[ $WORD_FROM_OUTSIDE =~ ^a ]] && python begins
[[ abc =~ $EXPRESSION_FROM_OUTSIDE ]] && python matches
