package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodePath;
import java.util.List;
import java.util.stream.Collectors;

/** Gives a node that started as one of many alike its own name and host key, over the one session that the common key is for. */
public final class Identifying {
    private static final NodePath HOST_KEY = NodePath.of("/etc/ssh/ssh_host_ed25519_key");
    private static final NodePath PUBLIC_KEY = NodePath.of("/etc/ssh/ssh_host_ed25519_key.pub");
    private static final NodePath NAME = NodePath.of("/etc/hostname");
    private static final String NAMED = "named";
    private static final String RESTART = "restart";

    private Identifying() {}

    /** Does it, and says whether the node must be restarted before it has its name. */
    public static boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        SshPublicKey key = own.hostKey().publicKey();
        if (!key.type().equals("ssh-ed25519")) {
            throw new InvalidValueException("type of host key", key.type(), "ssh-ed25519", "ssh-ed25519");
        }
        String secret = own.hostKey().privateKey().reveal();
        FileBatch files = new FileBatch()
                .put(HOST_KEY, secret.endsWith("\n") ? secret : secret + "\n", "600", "root:")
                .put(PUBLIC_KEY, key + "\n", "644", "root:")
                .put(NAME, own.hostName() + "\n", "644", "root:");
        session.run(files.command().markSensitive()).orThrow();
        CommandResult result =
                session.run(Command.shell(script(own, used)).elevate()).orThrow();
        List<String> lines = result.stdout().lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        if (!last.equals(NAMED) && !last.equals(RESTART)) {
            throw new ClusterwrightException("on " + own.hostName()
                    + ", giving the node its own identity did not come to its end; standard error: "
                    + result.stderr().strip());
        }
        return last.equals(RESTART);
    }

    /** A name that cloud-init must not take back; a kernel that refuses a new name of a running machine is no failure. */
    static String script(Bootstrap own, SshPublicKey used) {
        return """
            set -e
            export PATH="$PATH:/usr/sbin:/sbin"
            for path in ~%1$s/.ssh/authorized_keys /root/.ssh/authorized_keys; do
                [ -f "$path" ] || continue
                rest=$(grep -vF '%2$s' "$path" || :)
                printf '%%s\n' "$rest" >"$path"
            done
            """.formatted(own.loginUser(), used.base64()) + taking(own, NAMED, RESTART);
    }

    /** Takes up a host key and a name whose files are there, and says whether the name is in use. */
    static String taking(Bootstrap own, String named, String restart) {
        return """
            if [ -d /etc/cloud ]; then
                mkdir -p /etc/cloud/cloud.cfg.d
                echo 'preserve_hostname: true' >/etc/cloud/cloud.cfg.d/99-clusterwright-name.cfg
            fi
            if [ -d /run/systemd/system ]; then
                systemctl reload ssh 2>/dev/null || systemctl reload sshd
            else
                kill -HUP "$(cat /run/sshd.pid)"
            fi
            if hostname %1$s 2>/dev/null; then echo '%2$s'; else echo '%3$s'; fi
            """.formatted(own.hostName(), named, restart);
    }

    /**
     * A script that replaces the identity that a machine came with, as root and without a session; keys and names are values of our own types, so that
     * none can end a here-document or a word.
     */
    public static Secret rootScript(Bootstrap own) {
        String keys = own.authorizedKeys().stream()
                .map(SshPublicKey::parse)
                .map(SshPublicKey::toString)
                .collect(Collectors.joining("\n"));
        String files = """
            set -e
            umask 077
            export PATH="$PATH:/usr/sbin:/sbin"
            id -u %1$s >/dev/null 2>&1 || useradd -m -s /bin/bash %1$s
            home=$(getent passwd %1$s | cut -d: -f6)
            mkdir -p "$home/.ssh"
            cat >"$home/.ssh/authorized_keys" <<'END_OF_KEYS'
            %2$s
            END_OF_KEYS
            chown -R %1$s: "$home/.ssh"
            echo '%1$s ALL=(ALL) NOPASSWD:ALL' >/etc/sudoers.d/90-clusterwright-%1$s
            chmod 440 /etc/sudoers.d/90-clusterwright-%1$s
            rm -f /etc/ssh/ssh_host_*
            cat >/etc/ssh/ssh_host_ed25519_key <<'END_OF_KEYS'
            %3$s
            END_OF_KEYS
            umask 022
            cat >/etc/ssh/ssh_host_ed25519_key.pub <<'END_OF_KEYS'
            %4$s
            END_OF_KEYS
            echo %5$s >/etc/hostname
            grep -qw %5$s /etc/hosts || echo 127.0.1.1 %5$s >>/etc/hosts
            """.formatted(
                        own.loginUser(),
                        keys,
                        own.hostKey().privateKey().reveal().strip(),
                        own.hostKey().publicKey(),
                        own.hostName());
        return Secret.of(files + taking(own, NodeBackend.IDENTITY_GIVEN, NodeBackend.IDENTITY_RESTART));
    }
}
