#!/bin/bash
echo if then else fi for do done while case esac in function select time coproc
echo case x in a
echo for i in 1 2 3
ls if=file of=out bs=1M
dd if=/dev/zero of=/dev/null
test if = then && echo done
