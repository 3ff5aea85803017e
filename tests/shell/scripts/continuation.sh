#!/bin/bash
python train.py \
  --lr 1e-4 \
  --name "a \
b" \
  --path /a/b\
/c \
  # commented: the backslash above ends in a comment
echo a\
b c\
  d
srun \
  --nodes=2 \
\
  --ntasks=16 \
  bash -c "echo x; \
    echo y"
if [ a ] \
  && [ b ] ; \
then \
  echo c ; \
fi
x=\
y
for i in 1 \
  2 \
  3; do echo $i; done
echo ${x:-a\
b} $((1 + \
2)) $(echo \
z)
cat f | \
  grep x | \
  sort \
  > out \
  2>&1
