#!/bin/bash
echo "enter: "; read -r answer
printf '%s\n' "$answer" | tr -d '\r'
awk '{ print $1; if ($2 > 3) { print "it" } }' f
awk -F: 'BEGIN { x = "a|b;c" } /re(g)ex/ { print }' f | sed -e 's/\(a\)/\1/; s|x|y|g' -e "s#$a#b#"
sed -i '/^#/d' f
perl -e 'print "a\n" if $x =~ /y/;'
python -c "import sys; print('a', \"b\", sys.argv[1:])" x
grep -E '^(a|b)$' f
