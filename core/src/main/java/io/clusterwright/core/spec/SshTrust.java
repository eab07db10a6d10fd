package io.clusterwright.core.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How nodes log in to each other, and how they know each other.
 *
 * @param trust how they log in; default {@link Trust#CLUSTER_KEY}
 * @param hostKeys how they know each other; default {@link HostKeys#PINNED}
 * @param acceptRange addresses whose host keys are accepted unseen, such as {@code 10.32.0.*}; default none
 */
public record SshTrust(Trust trust, HostKeys hostKeys, List<String> acceptRange) {
    /**
     * Checks the values.
     *
     * @throws InvalidSpecException when they do not fit together
     */
    public SshTrust {
        Objects.requireNonNull(trust, "trust");
        Objects.requireNonNull(hostKeys, "hostKeys");
        acceptRange = List.copyOf(acceptRange);
        acceptRange.forEach(Checks::addressPattern);
        Problems problems = new Problems();
        if (hostKeys == HostKeys.ACCEPT_IN_RANGE && acceptRange.isEmpty()) {
            problems.add(
                    "acceptRange",
                    "hostKeys: accept-in-range needs the range in which any host key is accepted",
                    "write acceptRange: [10.32.0.*], or hostKeys: pinned");
        } else if (hostKeys != HostKeys.ACCEPT_IN_RANGE && !acceptRange.isEmpty()) {
            problems.add(
                    "acceptRange",
                    "a range goes with hostKeys: accept-in-range only, and hostKeys is " + hostKeys,
                    "leave acceptRange out, or write hostKeys: accept-in-range");
        }
        problems.throwIfAny();
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.trust = trust;
        builder.hostKeys = hostKeys;
        builder.acceptRange.addAll(acceptRange);
        return builder;
    }

    /** One key pair for the cluster, and pinned host keys. */
    public static SshTrust clusterKey() {
        return builder().build();
    }

    /** A key pair for each node, and pinned host keys. */
    public static SshTrust perNodeKeys() {
        return builder().trust(Trust.PER_NODE_KEYS).build();
    }

    /** The same trust with pinned host keys. */
    public SshTrust pinnedHostKeys() {
        return new SshTrust(trust, HostKeys.PINNED, List.of());
    }

    /** The same trust, accepting any host key within these addresses, such as {@code 10.32.0.*}. */
    public SshTrust acceptingHostKeysIn(String... addresses) {
        return new SshTrust(trust, HostKeys.ACCEPT_IN_RANGE, List.of(addresses));
    }

    /** How nodes log in to each other. */
    public enum Trust {
        /** With one key pair that every node has. */
        CLUSTER_KEY,
        /** Each with its own key pair, which all the others accept. */
        PER_NODE_KEYS,
        /** Not at all. */
        NONE;

        /** The name as it stands in a description, such as {@code cluster-key}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** How a node knows that it talks to the right one. */
    public enum HostKeys {
        /** Every host key is known before the first connection. */
        PINNED,
        /** Any host key is accepted within {@link SshTrust#acceptRange()}. */
        ACCEPT_IN_RANGE,
        /** Any host key is accepted from the nodes, each named. */
        ACCEPT_PER_NODE;

        /** The name as it stands in a description, such as {@code pinned}. */
        @Override
        public String toString() {
            return Names.of(this);
        }
    }

    /** Collects the parts of a {@link SshTrust}. */
    public static final class Builder {
        private Trust trust = Trust.CLUSTER_KEY;
        private HostKeys hostKeys = HostKeys.PINNED;
        private final List<String> acceptRange = new ArrayList<>();

        Builder() {}

        /** Sets {@link SshTrust#trust()}. */
        public Builder trust(Trust trust) {
            this.trust = Objects.requireNonNull(trust, "trust");
            return this;
        }

        /** Sets {@link SshTrust#hostKeys()}. */
        public Builder hostKeys(HostKeys hostKeys) {
            this.hostKeys = Objects.requireNonNull(hostKeys, "hostKeys");
            return this;
        }

        /** Replaces {@link SshTrust#acceptRange()}. */
        public Builder acceptRange(List<String> acceptRange) {
            List<String> copy = List.copyOf(acceptRange);
            this.acceptRange.clear();
            copy.forEach(this::addAcceptRange);
            return this;
        }

        /** Replaces {@link SshTrust#acceptRange()}. */
        public Builder acceptRange(String... acceptRange) {
            return acceptRange(List.of(acceptRange));
        }

        /** Appends one to {@link SshTrust#acceptRange()}. */
        public Builder addAcceptRange(String acceptRange) {
            this.acceptRange.add(Objects.requireNonNull(acceptRange, "acceptRange"));
            return this;
        }

        /**
         * The description.
         *
         * @throws InvalidSpecException with every reason why the parts do not make a whole
         */
        public SshTrust build() {
            return new SshTrust(trust, hostKeys, acceptRange);
        }
    }
}
