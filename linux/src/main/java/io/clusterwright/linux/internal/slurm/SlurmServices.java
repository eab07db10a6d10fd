package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.node.NodePath;

/** Scripts that start Slurm's services on a node and ask for its nodes. Where no systemd runs, the services are started directly. */
final class SlurmServices {
    /** A restart of the controller keeps its jobs, and one of slurmd keeps the ranks of its node, which are not its own processes. */
    private static final String START = """
            umask 022
            set +C
            rekeyed=no
            changed=no
            [ -z "$(find /etc/munge/munge.key -newer /run/munge/munged.pid 2>/dev/null)" ] || rekeyed=yes
            [ "$conf" = "$(cat /etc/slurm/slurm.conf /etc/slurm/cgroup.conf | sha256sum)" ] || changed=yes
            name=$(hostname)
            if [ "${name%%.*}" = "$controller" ]; then controls=yes; else controls=no; fi

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
                service slurmd $changed
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
            most=$(prlimit --pid $$ --memlock --noheadings --output HARD | tr -d ' ')
            prlimit --pid $$ --memlock="$most:$most"
            start slurmd /run/slurmd.pid $changed slurmd
            """;

    /** A state that ends with an asterisk is of a node that does not answer. What an administrator drained is left as it is. */
    private static final String AWAIT = """
            tries=0
            while [ $tries -lt 300 ]; do
                tries=$((tries + 1))
                if states=$(timeout 10 sinfo --noheader --Node --format='%N %T %E' 2>&1); then
                    states=$(printf '%s\\n' "$states" | sort -u)
                    bad=$(printf '%s\\n' "$states" |
                        grep -E '^[^ ]+ ([^ ]*[*]|(down|unk|inval|err|fail|future|reboot|power)[^ ]*) ' || :)
                    if [ -z "$bad" ] && [ "$(printf '%s\\n' "$states" | wc -l)" -eq "$count" ]; then exit 0; fi
                else
                    bad=$states
                fi
                sleep 0.2
            done
            printf '%s\\n' "${bad:-$states}"
            exit 1
            """;

    private SlurmServices() {}

    /** Writes files as {@code writing} does, and starts services that do not run or whose configuration changed. */
    static String script(NodeName controller, String writing) {
        return SlurmStart.PATH + "controller=" + PosixShell.quote(controller.value()) + """

                conf=$(cat /etc/slurm/slurm.conf /etc/slurm/cgroup.conf 2>/dev/null | sha256sum || :)
                """ + writing + START;
    }

    /** Writes files as {@code writing} does, unless this one has the content of this SHA-256. */
    static String unlessThere(NodePath file, String sha256, String writing) {
        return "if [ \"$(sha256sum " + file + " 2>/dev/null | cut -d ' ' -f 1)\" = " + sha256 + " ]; then exit 0; fi\n"
                + writing;
    }

    /** Returns when the controller knows this many nodes and each is ready for jobs or has some; or fails with those that are not. */
    static String awaitNodes(int count) {
        return SlurmStart.PATH + "count=" + count + "\n" + AWAIT;
    }
}
