# Arithmetic over one of several numbers.

#### arithmetic over choices
if [ "$GIVEN" = x ]; then N=2; G=4; else N=4; G=8; fi
python $((N*8)) "$((N * G))" $((N > 1)) "$(( (N+G) / 2 ))" $(( ${N} + 1 )) $(($N$G))
W=$((N*G))
python --world "$W" $((W/2))
[ $N -gt 1 ] && python more
[ $N -gt 3 ] && python perhaps
[[ $N -lt 2 ]] || python not less
if [ -n "$N" ]; then python there; fi
if [ "$N" = 3 ]; then python no; fi
case $N in 2|4) python even ;; *) python odd ;; esac
for i in $(seq 1 $N); do python "$i"; done

#### choices and defaults
N=${NODES:-2}
if [ "$WHO" = me ]; then N=4; fi
python $((N*8))
[ "$N" -ge 2 ] && python two
if [ "$N" = 3 ]; then python three; else python not three; fi
case $N in 2|4) python even ;; *) python other ;; esac
A=(a b c d e)
python "${A[N]}"
