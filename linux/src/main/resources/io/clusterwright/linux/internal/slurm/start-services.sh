# Starts the services of Slurm on a node. A restart of the controller keeps its jobs, and one of slurmd keeps the ranks of its node, which
# are not its own processes. Where no systemd runs, the services are started directly.
umask 022
set +C
rekeyed=no
changed=no
[ -z "$(find /etc/munge/munge.key -newer /run/munge/munged.pid 2>/dev/null)" ] || rekeyed=yes
[ "$conf" = "$(cat /etc/slurm/slurm.conf /etc/slurm/cgroup.conf | sha256sum)" ] || changed=yes
name=$(hostname)
if [ "${name%%.*}" = "$controller" ]; then controls=yes; else controls=no; fi
if [ $controls$separate = yesyes ]; then works=no; else works=yes; fi

service() { # unit, whether it is to start anew
    systemctl --quiet enable "$1"
    if [ "$2" = yes ]; then systemctl restart "$1"; else systemctl start "$1"; fi
}
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    service munge $rekeyed
    if [ $controls = yes ]; then
        service slurmctld $changed
    else
        systemctl --quiet disable --now slurmctld
    fi
    if [ $works = yes ]; then
        service slurmd $changed
    else
        systemctl --quiet disable --now slurmd
    fi
    exit 0
fi

alive() { # program, file with its process id
    pid=$(cat "$2" 2>/dev/null) && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ]
}
halt() { # program, file with its process id
    alive "$1" "$2" || return 0
    kill -TERM "$pid"
    waited=0
    while alive "$1" "$2"; do
        waited=$((waited + 1))
        if [ $waited -gt 400 ]; then
            kill -KILL "$pid"
            return 0
        fi
        sleep 0.05
    done
}
start() { # program, file with its process id, whether it is to start anew, its command
    program=$1
    file=$2
    if [ "$3" = yes ]; then halt "$program" "$file"; fi
    shift 3
    alive "$program" "$file" || "$@" </dev/null
}
mkdir -p /run/munge
chown munge: /run/munge
chmod 755 /run/munge
start munged /run/munge/munged.pid $rekeyed setpriv --reuid=munge --regid=munge --clear-groups munged
if [ $controls = yes ]; then
    start slurmctld /run/slurmctld.pid $changed slurmctld
else
    halt slurmctld /run/slurmctld.pid
fi
if [ $works = no ]; then
    halt slurmd /run/slurmd.pid
    exit 0
fi
most=$(prlimit --pid $$ --memlock --noheadings --output HARD | tr -d ' ')
prlimit --pid $$ --memlock="$most:$most"
start slurmd /run/slurmd.pid $changed slurmd
