#!/bin/bash
time sleep 1
time -p sleep 1
time { sleep 1; echo done; }
time ( sleep 1 )
time for i in 1 2; do echo $i; done
time if true; then echo; fi
time [[ a == b ]]
time a | b
! time true
time ! false
time
coproc cat
coproc READER { cat; }
coproc { echo a; }
coproc WORKER ( sleep 1 )
coproc LOOP while read -r x; do echo "$x"; done
time -p { :; } 2> time.log
echo time; echo coproc x
