package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.SecretReference;
import java.util.Optional;

/**
 * An existing head node and the login there. Use it to run jobs of {@link Scheduler#HPC_PACK} on its queue.
 *
 * @see HpcPackSpec
 */
public final class HpcPackHead extends SpecPart<HpcPackHead.Builder> {
    static final Table<HpcPackHead> FIELDS = new Table<>("head", HpcPackHead::new, Builder::new);
    private static final Field<String> ADDRESS = FIELDS.required(
            "address",
            SpecCodecs.text("an address", "https://head.hpc.example", Checks.HEAD_NODE::check),
            "give the head node's full name, such as https://head.hpc.example");
    private static final Field<String> USER = FIELDS.required(
            "user",
            SpecCodecs.text("an account", "HPC\\hpcuser", Checks.HEAD_NODE_USER::check),
            "give the account that logs in, such as HPC\\hpcuser");
    private static final Field<SecretReference> PASSWORD = FIELDS.required(
            "password", SpecCodecs.SECRET, "give the place of the password, such as {secret: env:HPC_PASSWORD}");
    private static final Field<String> CERTIFICATE = FIELDS.optional(
            "certificate", SpecCodecs.form("a path", "./head.cer", Checks.PATH.as("file of certificates")));

    private HpcPackHead(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** {@code https://} and the full name that its certificate carries; {@code http://} on loopback only. Required. */
    public String address() {
        return get(ADDRESS);
    }

    /** The account that logs in and that jobs run as, such as {@code HPC\hpcuser}. Required. */
    public String user() {
        return get(USER);
    }

    /** The place of its password. Required. */
    public SecretReference password() {
        return get(PASSWORD);
    }

    /**
     * The file of the certificates to trust, in DER or PEM; a relative path starts in the folder of the spec. Default: the
     * certificates that this Java trusts.
     */
    public Optional<String> certificate() {
        return find(CERTIFICATE);
    }

    /** Setters of the fields of {@link HpcPackHead}. */
    public static final class Builder extends SpecPart.Builder<HpcPackHead, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder address(String address) {
            return set(ADDRESS, address);
        }

        public Builder user(String user) {
            return set(USER, user);
        }

        public Builder password(SecretReference password) {
            return set(PASSWORD, password);
        }

        public Builder password(String password) {
            return parse(PASSWORD, password);
        }

        public Builder certificate(String certificate) {
            return set(CERTIFICATE, certificate);
        }
    }
}
