package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.util.stream.Collectors;

/** Gives a machine that came with an identity of its own another one, as root and without a session. */
public final class IdentityScript {
    private IdentityScript() {}

    /** The script; keys and names are values of our own types, so that none can end a here-document or a word. */
    public static Secret of(Bootstrap own) {
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
        return Secret.of(files + Identifying.taking(own, NodeBackend.IDENTITY_GIVEN, NodeBackend.IDENTITY_RESTART));
    }
}
