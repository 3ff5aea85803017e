#!/bin/bash
echo "a 'b' c" "a \"b\" c" "a \\" "x`echo "y"`z" "$(echo "in" "$(echo "deep")")"
echo "${X:-"default"}" "${X:-a b}" "${X:-'q'}" "${X:+"$X"}" "${X:=$(echo "d")}"
echo "multi
line" 'multi
line'
echo "a"'b'"c"d$e"f"
echo "# not a comment" "a;b" "a|b" "a&b" "(" ")"
echo "" '' ""''
echo "tab	in" "!" "a!b"
