#!/bin/bash
a; b;
a ; b ;
a;b;c
a & b & c &
a&b&
{ a; };
( a );
(a;b)
if a;
then b;
fi;
a;
# end
