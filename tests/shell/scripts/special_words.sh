#!/bin/bash
. ./env.sh
: "${X:=1}"
[ a ]
true
-x
../bin/a
~/b
~user/c
a=b=c
a-b=c
1=2
[x]
*.sh
%1
@x
+x
,
^a
a^b
a~b
a%b
a@b
a:b
=x
==
- --
