#!/bin/bash
if a; then b; fi;
{ a; } ; ( b ) ; c
a;#x
(a)#x
(a) # x
{ a; }# x
}
echo a"b"'c'\d$e`f`$(g)${h}$((1))
x=(a)b=c
a=b\ c
a\ b
\#x
\(a\)
a\;b
"a;b" c
''
echo \
