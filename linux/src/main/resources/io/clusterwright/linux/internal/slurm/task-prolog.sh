#!/bin/sh
# Lets bash scripts of jobs use "module", which else only login shells know. slurmd takes "export NAME=VALUE" from here.
if [ -z "${SLURM_STEP_ID:-}${BASH_ENV:-}" ]; then
    for init in /usr/share/modules/init/bash /usr/share/Modules/init/bash /usr/share/lmod/lmod/init/bash; do
        if [ -r "$init" ]; then
            echo "export BASH_ENV=$init"
            break
        fi
    done
fi
