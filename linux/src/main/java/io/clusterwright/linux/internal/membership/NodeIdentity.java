package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.AuthorizedKeys;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Gives a node that started as one of many alike its own name and host key, over the one session that the common key is for. */
public final class NodeIdentity {
    private static final NodePath HOST_KEY = NodePath.of("/etc/ssh/ssh_host_ed25519_key");
    private static final NodePath PUBLIC_KEY = NodePath.of("/etc/ssh/ssh_host_ed25519_key.pub");
    private static final NodePath NAME = NodePath.of("/etc/hostname");
    private static final String NAMED = "named";
    private static final String RESTART = "restart";

    private NodeIdentity() {}

    /** Installs host keys and host name; returns whether the node must be restarted before it has its name. */
    public static boolean install(NodeSession session, Bootstrap own, SshPublicKey used) {
        SshPublicKey key = own.hostKey().publicKey();
        if (!key.type().equals("ssh-ed25519")) {
            throw new InvalidValueException("host key type", key.type(), "ssh-ed25519", "ssh-ed25519");
        }
        session.run(identity(new FileBatch(), own).command().markSensitive()).orThrow();
        CommandResult result = session.run(
                        Command.shell(withdrawal(session, own, used).script() + taking(own, NAMED, RESTART))
                                .elevate())
                .orThrow();
        List<String> lines = result.stdout().lines().toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        if (!last.equals(NAMED) && !last.equals(RESTART)) {
            throw new ClusterwrightException("on " + own.hostName()
                    + ", the change of the node's identity did not finish; standard error: "
                    + PrintableText.output(result.stderr()));
        }
        return last.equals(RESTART);
    }

    private static FileBatch identity(FileBatch files, Bootstrap own) {
        return files.put(HOST_KEY, own.hostKey().privateKey().reveal().strip() + "\n", "600", "root:")
                .put(PUBLIC_KEY, own.hostKey().publicKey() + "\n", "644", "root:")
                .put(NAME, own.hostName() + "\n", "644", "root:");
    }

    /** The files of keys without the one that served for this session. */
    private static FileBatch withdrawal(NodeSession session, Bootstrap own, SshPublicKey used) {
        List<NodePath> all = Stream.of(own.loginUser(), UserName.ROOT)
                .distinct()
                .map(NodeIdentity::keysOf)
                .toList();
        NodeFiles now = NodeFiles.read(session, all);
        FileBatch files = new FileBatch();
        for (NodePath keys : all) {
            now.find(keys)
                    .ifPresent(text ->
                            files.putIfChanged(now, keys, new AuthorizedKeys(List.of(used)).removeFrom(text), "", ""));
        }
        return files;
    }

    private static NodePath keysOf(UserName user) {
        return NodePath.home(user, ".ssh/authorized_keys");
    }

    /**
     * Takes up a host key and a name whose files are there, and says whether the name is in use. Cloud-init must not take the name back; a
     * kernel that refuses a new name of a running machine is no failure.
     */
    private static String taking(Bootstrap own, String named, String restart) {
        return """
            set +C
            umask 022
            export PATH="$PATH:/usr/sbin:/sbin"
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
     * A script that replaces the identity that a machine came with, as root and without a session; names are values
     * of our own types, so that
     * none can end a word.
     */
    public static Secret rootScript(Bootstrap own) {
        String keys = own.authorizedKeys().stream()
                .map(SshPublicKey::of)
                .map(SshPublicKey::toString)
                .collect(Collectors.joining("\n"));
        FileBatch files = new FileBatch()
                .folder(NodePath.home(own.loginUser(), ".ssh"), "700", "")
                .put(keysOf(own.loginUser()), keys + "\n", "600", "")
                .put(
                        NodePath.of("/etc/sudoers.d/90-clusterwright-" + own.loginUser()),
                        own.loginUser() + " ALL=(ALL) NOPASSWD:ALL\n",
                        "440",
                        "root:");
        String account = """
            set -e
            export PATH="$PATH:/usr/sbin:/sbin"
            id -u %1$s >/dev/null 2>&1 || useradd -m -s /bin/bash %1$s
            rm -f /etc/ssh/ssh_host_*
            """.formatted(own.loginUser());
        String name = "grep -qw %1$s /etc/hosts || echo 127.0.1.1 %1$s >>/etc/hosts\n".formatted(own.hostName());
        return Secret.of(account
                + identity(files, own).script()
                + name
                + taking(own, NodeBackend.IDENTITY_GIVEN, NodeBackend.IDENTITY_RESTART));
    }
}
