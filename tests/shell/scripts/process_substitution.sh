#!/bin/bash
diff <(sort a) <(sort b)
tee >(gzip > a.gz) >(wc -l) > /dev/null
while read -r x; do echo "$x"; done < <(find . -type f)
cat <(echo a; echo "b)") <(case x in a) b;; esac)
exec > >(tee -a log) 2>&1
exec 2> >(cat >&2)
x=<(a)
cmd --f=<(b)
mapfile -t arr < <(cmd | sort)
