#!/bin/bash
echo then; echo fi | cat
command if; builtin for
A=1 if
> f done
\if x
'for' y
"while" z
i"f" w
echo {; echo }
{ echo }; }
a=if; for x in if then; do echo $x; done
git commit -m done
in=5; do_it; done_it; fi_x
function_name; select_it
