#!/bin/bash
echo {a,b}{1..3} { } a{b c}d {x,y}.txt {} {,}
mkdir -p run/{logs,ckpt}/{1..4}
cp file{,.bak}
echo }; echo {; echo !; echo ]]; echo [[
find . -name '*.pt' -exec rm {} \;
find . -exec echo {} +
{ echo a; }
{ echo b
}
{ { echo c; }; }
