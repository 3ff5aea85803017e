#!/bin/bash
a=$(echo x) b="$(echo "y")" c=$(echo $(echo $(echo z)))
d=$(
  # it's a comment (with paren
  echo "a)"
  echo ')'
)
e=$(echo \)) f=$(echo "$(echo ")")")
g=$(if true; then echo "x"; fi) h=$(for i in 1; do echo $i; done)
i=$(<file) j="$(< "$file")" k=$( { echo a; } ) l=$(a; b) m=$()
n=$(echo a # comment ) here
)
o="${x:-$(echo "}")}" p=$(echo ${x:-)}) q=$(echo a\
b)
r=$(echo 'it'\''s') s=$(case x in x) echo y; esac)
t=$(cmd <<< "a" | sort) u=$(f() { echo x; }; f) v=$(echo $((1+(2))))
$(echo cmd) arg
"$(echo cmd)" "arg"
