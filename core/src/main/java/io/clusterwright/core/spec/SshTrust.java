package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Table.Field;
import java.util.List;

/**
 * The trust between the nodes of a cluster: their logins to each other and the check of host keys. Use it to change
 * who may log in where.
 *
 * @see Customization
 */
public final class SshTrust extends SpecPart<SshTrust.Builder> {
    static final Table<SshTrust> FIELDS = new Table<>("ssh", SshTrust::new, Builder::new);
    private static final Field<Trust> TRUST =
            FIELDS.defaulted("trust", SpecCodecs.oneOf(Trust.class), Trust.CLUSTER_KEY);
    private static final Field<HostKeys> HOST_KEYS =
            FIELDS.defaulted("hostKeys", SpecCodecs.oneOf(HostKeys.class), HostKeys.PINNED);
    private static final Field<List<String>> ACCEPT_RANGE = FIELDS.defaulted(
            "acceptRange",
            SpecCodecs.listOf(SpecCodecs.form("a range of addresses", "10.32.0.*", Checks.ADDRESS_PATTERN)),
            List.of());

    private SshTrust(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** One key pair for the cluster, and pinned host keys. */
    public static SshTrust clusterKey() {
        return builder().build();
    }

    /** A key pair for each node, and pinned host keys. */
    public static SshTrust perNodeKeys() {
        return builder().trust(Trust.PER_NODE_KEYS).build();
    }

    /** Pins host keys. */
    public SshTrust pinnedHostKeys() {
        return toBuilder().hostKeys(HostKeys.PINNED).acceptRange().build();
    }

    /** Accepts any host key within these addresses, such as {@code 10.32.0.*}. */
    public SshTrust acceptingHostKeysIn(String... addresses) {
        return toBuilder()
                .hostKeys(HostKeys.ACCEPT_IN_RANGE)
                .acceptRange(addresses)
                .build();
    }

    /** The keys with which nodes log in to each other. Default: {@link Trust#CLUSTER_KEY}. */
    public Trust trust() {
        return get(TRUST);
    }

    /** The check of host keys when one node logs in to another. Default: {@link HostKeys#PINNED}. */
    public HostKeys hostKeys() {
        return get(HOST_KEYS);
    }

    /** Addresses whose host keys are accepted without a check, such as {@code 10.32.0.*}. Default: none. */
    public List<String> acceptRange() {
        return get(ACCEPT_RANGE);
    }

    @Override
    void check(Problems problems) {
        if (hostKeys() == HostKeys.ACCEPT_IN_RANGE && acceptRange().isEmpty()) {
            problems.add(
                    "acceptRange",
                    "hostKeys is accept-in-range, and acceptRange is missing",
                    "write acceptRange: [10.32.0.*], or hostKeys: pinned");
        } else if (hostKeys() != HostKeys.ACCEPT_IN_RANGE && !acceptRange().isEmpty()) {
            problems.add(
                    "acceptRange",
                    "acceptRange has no effect: hostKeys is " + hostKeys(),
                    "remove acceptRange, or write hostKeys: accept-in-range");
        }
    }

    /** The logins of nodes on each other. */
    public enum Trust {
        /** One key pair, which the account of jobs has on every node. */
        CLUSTER_KEY,
        /** A separate key pair for each node. Not implemented: a spec with it is refused. */
        PER_NODE_KEYS,
        /** No keys: nodes cannot log in to each other. */
        NONE;

        /** The name in a cluster spec, such as {@code cluster-key}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** The check of the host keys of nodes. */
    public enum HostKeys {
        /** Every host key is known before the first connection. */
        PINNED,
        /** Any host key is accepted within {@link SshTrust#acceptRange()}. */
        ACCEPT_IN_RANGE,
        /** Any host key is accepted from the nodes, whose addresses are listed one by one. */
        ACCEPT_PER_NODE;

        /** The name in a cluster spec, such as {@code pinned}. */
        @Override
        public String toString() {
            return PrintableText.word(this);
        }
    }

    /** Setters of the fields of {@link SshTrust}. */
    public static final class Builder extends SpecPart.Builder<SshTrust, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder trust(Trust trust) {
            return set(TRUST, trust);
        }

        public Builder hostKeys(HostKeys hostKeys) {
            return set(HOST_KEYS, hostKeys);
        }

        public Builder acceptRange(List<String> acceptRange) {
            return set(ACCEPT_RANGE, acceptRange);
        }

        public Builder acceptRange(String... acceptRange) {
            return acceptRange(List.of(acceptRange));
        }

        public Builder addAcceptRange(String acceptRange) {
            return add(ACCEPT_RANGE, acceptRange);
        }
    }
}
