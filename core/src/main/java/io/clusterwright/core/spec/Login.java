package io.clusterwright.core.spec;

import io.clusterwright.core.spec.Table.Field;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.util.List;
import java.util.Optional;

/**
 * The account on every node through which the cluster is managed; it has sudo without a prompt. Use it to choose its
 * name, and to add the public keys of people.
 *
 * @see ClusterSpec
 */
public final class Login extends SpecPart<Login.Builder> {
    /** The default of {@link #user()}. */
    public static final UserName DEFAULT_USER = UserName.of("azureuser");

    static final Table<Login> FIELDS = new Table<>("login", Login::new, Builder::new);
    private static final Field<UserName> USER = FIELDS.defaulted("user", SpecCodecs.USER_NAME, DEFAULT_USER);
    private static final Field<List<SshPublicKey>> PUBLIC_KEYS = FIELDS.defaulted(
            "publicKeys",
            SpecCodecs.listOf(SpecCodecs.parsed("a public key", "ssh-ed25519 AAAA…", SshPublicKey::of)),
            List.of());
    private static final Field<SecretReference> PASSWORD = FIELDS.optional("password", SpecCodecs.SECRET);

    private Login(Values values) {
        super(values);
    }

    /** A builder with the default of every field. */
    public static Builder builder() {
        return new Builder();
    }

    /** The name of the account. Default: {@code azureuser}. */
    public UserName user() {
        return get(USER);
    }

    /** The keys that may log in. Default: none, and a key pair is created for the cluster. */
    public List<SshPublicKey> publicKeys() {
        return get(PUBLIC_KEYS);
    }

    /** The place of the password. Default: none; Windows needs one. */
    public Optional<SecretReference> password() {
        return find(PASSWORD);
    }

    /** Setters of the fields of {@link Login}. */
    public static final class Builder extends SpecPart.Builder<Login, Builder> {
        Builder() {
            super(FIELDS);
        }

        public Builder user(UserName user) {
            return set(USER, user);
        }

        public Builder user(String user) {
            return parse(USER, user);
        }

        public Builder publicKeys(List<SshPublicKey> publicKeys) {
            return set(PUBLIC_KEYS, publicKeys);
        }

        public Builder addPublicKey(SshPublicKey publicKey) {
            return add(PUBLIC_KEYS, publicKey);
        }

        public Builder addPublicKey(String publicKey) {
            return addPublicKey(SshPublicKey.of(publicKey));
        }

        public Builder password(SecretReference password) {
            return set(PASSWORD, password);
        }

        public Builder password(String password) {
            return parse(PASSWORD, password);
        }
    }
}
