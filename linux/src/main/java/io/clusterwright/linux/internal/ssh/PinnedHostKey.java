package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.type.SshPublicKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.client.keyverifier.ServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.kex.KexProposalOption;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.jspecify.annotations.Nullable;

/** The one host key a connection accepts, and the key it was shown. */
final class PinnedHostKey {
    private static final AttributeKey<PinnedHostKey> KEY = new AttributeKey<>();

    /** Accepts the pinned key of the connection and nothing else; a connection without one accepts nothing. */
    static final ServerKeyVerifier VERIFIER = (session, address, shown) -> {
        PinnedHostKey pinned = of(session);
        return pinned != null && pinned.accepts(SshPublicKey.of(PublicKeyEntry.toString(shown)));
    };

    /** Asks the server for the key of the pinned type first, as it may have several. */
    static final SessionListener PREFERENCE = new SessionListener() {
        @Override
        public void sessionNegotiationOptionsCreated(Session session, Map<KexProposalOption, String> proposal) {
            PinnedHostKey pinned = session instanceof ClientSession client ? of(client) : null;
            if (pinned != null) {
                proposal.computeIfPresent(KexProposalOption.SERVERKEYS, (option, types) -> pinned.preferred(types));
            }
        }
    };

    private final SshPublicKey expected;
    private final AtomicReference<@Nullable SshPublicKey> shown = new AtomicReference<>();

    PinnedHostKey(SshPublicKey expected) {
        this.expected = expected;
    }

    /** The context of a connection, which leads through the connection of the gateway where there is one. */
    AttributeRepository asContext(@Nullable ClientSession gateway) {
        return gateway == null
                ? AttributeRepository.ofKeyValuePair(KEY, this)
                : AttributeRepository.ofAttributesMap(Map.of(KEY, this, TunnelClient.GATEWAY, gateway));
    }

    SshPublicKey expected() {
        return expected;
    }

    /** The key that was shown and refused; null when that is not what happened. */
    @Nullable
    SshPublicKey refused() {
        SshPublicKey key = shown.get();
        return key == null || key.sameKey(expected) ? null : key;
    }

    private boolean accepts(SshPublicKey key) {
        shown.set(key);
        return key.sameKey(expected);
    }

    private String preferred(String types) {
        Set<String> order = new LinkedHashSet<>(
                expected.type().equals("ssh-rsa") ? List.of("rsa-sha2-512", "rsa-sha2-256") : List.of(expected.type()));
        List<String> offered = List.of(types.split(","));
        order.retainAll(offered);
        order.addAll(offered);
        return String.join(",", order);
    }

    private static @Nullable PinnedHostKey of(ClientSession session) {
        AttributeRepository context = session.getConnectionContext();
        return context == null ? null : context.getAttribute(KEY);
    }
}
