#!/bin/bash
case $1 in
  start) echo start ;;
  stop|halt) echo stop;;
  (restart) echo again ;;
  "a b"|'c d') echo quoted ;;
  *.txt | *.md ) echo text ;;
  [a-z]*) echo lower ;;
  if|for) echo words ;;
  $x|${y}) ;;
  "") ;;
  ?(a|b)) echo ext ;;
  *) echo other
esac
case "$a$b" in x) echo one ;& y) echo two ;;& z) echo three ;; esac
case x in esac
case x in
esac
case in in in) echo in ;; esac
case "$mode" # a comment's quote
in
  # another's
  fast) echo f # it's
    ;;

  slow)
    echo s

    ;;
esac > out.txt 2>&1
case $(uname) in Linux) case $x in 1) echo n;; esac ;; Darwin) echo d ;; esac | cat
