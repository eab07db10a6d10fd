#!/bin/sh
# Called by mpirun in the place of ssh: says which command is to run on which node, and the library starts it there.
line="clusterwright-helper @TOKEN@ $*"
# A pipe takes a short line as a whole; the writers of longer ones take turns.
[ ${#line} -lt 4000 ] || { exec 9< "$0"; flock 9; }
printf '%s\n' "$line"
