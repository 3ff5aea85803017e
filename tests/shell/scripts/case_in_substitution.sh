#!/bin/bash
v=$(case $x in a) echo 1;; b|c) echo 2;; (d) echo 3;; esac)
w="$(case "$x" in a) echo "1)";; esac)"
u=$(for i in 1 2; do case $i in 1) echo one ;; *) echo ")" ;; esac; done)
t=$(
  case $x in
    a) # it's a comment with )
      echo a ;;
  esac
)
s=(case x in)
