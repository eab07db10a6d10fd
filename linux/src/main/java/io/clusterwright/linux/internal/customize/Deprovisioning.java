package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.ImageSpec.Deprovision;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.membership.SshTrustFiles;
import io.clusterwright.linux.internal.node.NodeSetup;
import java.time.Duration;
import java.util.List;

/**
 * Takes the identity off a node with the Azure Linux agent, and what the agent leaves: keys that log in, host keys where its settings have cloud-init make
 * them, and the state of cloud-init. Without host keys no new session can be opened, so everything is one command of the session that is
 * open, and its end is a line that only a complete run prints.
 */
final class Deprovisioning {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String MARK = "clusterwright-deprovisioned";

    private Deprovisioning() {}

    static void run(NodeSetup setup) {
        String nonce = Nonce.next();
        boolean keep = setup.spec().image().deprovision() == Deprovision.KEEP_USER;
        UserName user = setup.spec().login().user();
        CommandResult result = setup.session()
                .run(Command.shell(SshTrustFiles.withdrawal(setup) + script(keep, user, nonce))
                        .elevate()
                        .timeout(LONG));
        List<String> lines = result.stdout().lines().toList();
        if (!result.succeeded()
                || lines.isEmpty()
                || !lines.get(lines.size() - 1).equals(MARK + " " + nonce)) {
            throw new ClusterwrightException("on " + setup.session().node()
                    + ", deprovisioning did not finish, so the node must not be captured: exit status "
                    + result.exitStatus() + "; standard error: "
                    + PrintableText.output(result.stderr()) + "; standard output: "
                    + PrintableText.output(result.stdout()));
        }
        setup.report("the node's identity is removed" + (keep ? "; user " + user + " is kept" : ""));
    }

    /** Whether the agent must be installed first: an image that was never meant for Azure has none. */
    static boolean agentIsMissing(NodeSetup setup) {
        Command look = Command.of("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; command -v waagent");
        boolean missing = !setup.session().run(look).succeeded();
        if (missing) {
            setup.report(
                    "the Azure Linux agent, which takes the node's identity away, is missing and will be installed");
        }
        return missing;
    }

    /**
     * Standard input of the agent is empty: it must not read the rest of this script. It removes only a user that it made
     * itself, so what it leaves is removed here.
     */
    static String script(boolean keepUser, UserName user, String nonce) {
        String option = keepUser ? "-deprovision" : "-deprovision+user";
        String account = (keepUser ? """
                        path=~%1$s/.ssh
                        [ -d "$path" ] || fail "$path is gone"
                        """ : """
                        if getent passwd %1$s >/dev/null; then userdel --force --remove %1$s >/dev/null 2>&1 || :; fi
                        if getent passwd %1$s >/dev/null; then fail 'user %1$s is still there'; fi
                        """).formatted(user);
        return """
                export PATH="$PATH:/usr/sbin:/sbin" HOME=/root
                fail() { echo "$1" >&2; exit 1; }
                waagent -force %s </dev/null || fail "waagent ended with status $?"
                rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub
                if command -v cloud-init >/dev/null && ! cloud-init clean --logs </dev/null >/dev/null 2>&1; then
                    rm -rf /var/lib/cloud/instance /var/lib/cloud/instances /var/lib/cloud/data /var/lib/cloud/sem
                fi
                ls -d /var/lib/cloud/instance* >/dev/null 2>&1 && fail 'there is still state of cloud-init in /var/lib/cloud'
                ls /etc/ssh/ssh_host_*_key >/dev/null 2>&1 && fail 'there are still host keys in /etc/ssh'
                [ -n "$(ls -A /var/lib/waagent 2>/dev/null)" ] && fail 'there is still something in /var/lib/waagent'
                %sif [ -e /etc/machine-id ]; then : >/etc/machine-id; fi
                sync
                echo %s %s
                """.formatted(option, account, MARK, nonce);
    }
}
