#!/bin/bash
# don't stop
echo a # it's "fine
echo b#c # d
echo "#no" '#no' \#no $# ${#x} ${x#p} ${x##*/}
if true; then # then's comment
  # nothing's here
  :
fi # end's
{ # open
  echo x # y
} # close
x=1 # set
for i in 1 2 # list's end
do # loop
  echo $i
done
while read -r line # reading
do
  :
done < f # from "f
f() { # function's
  :
}
a | # pipe's comment
  b
    # indented
#
##
