# Starts Slurm on a node: its key and configuration come in variables, the first node is the controller.
mkdir -p /etc/munge /run/munge /var/lib/munge /var/log/munge /var/spool/slurmctld /var/spool/slurmd /etc/slurm
printf %s "$KEY" > /etc/munge/munge.key
chmod 400 /etc/munge/munge.key
chmod 700 /etc/munge
chmod 755 /run/munge
chown -R munge:munge /etc/munge /run/munge /var/lib/munge /var/log/munge
printf %s "$CONF" > /etc/slurm/slurm.conf
# A site's own work before a job on a node, which a test makes as long as it likes.
printf '#!/bin/sh\nif [ -e /run/slow-start ]; then sleep "$(cat /run/slow-start)"; fi\n' > /etc/slurm/prolog
chmod 755 /etc/slurm/prolog
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' > /etc/slurm/cgroup.conf
setpriv --reuid=munge --regid=munge --clear-groups munged
munge -n < /dev/null | unmunge > /dev/null
if [ "$(hostname)" = "$CONTROLLER" ]; then slurmctld -c; fi
slurmd
