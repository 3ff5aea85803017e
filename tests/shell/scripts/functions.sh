#!/bin/bash
f() { echo a; }
g () {
  local x=1
  echo "$x"
}
function h { echo h; }
function i() { echo i; }
function j ()
{
  echo j
}
k() ( cd /tmp && ls )
l() { echo l; } > out 2>&1
m() if true; then echo m; fi
my-func.x() { :; }
ns::f() { :; }
outer() {
  inner() {
    innermost() { echo deep; }
    innermost
  }
  inner "$@"
}
q() { case $1 in a) echo;; esac; }
f; g | h && i
r()

{
  :
}
s() { return 1; }; s || t() { :; }
