package io.clusterwright.core.spec;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The account made on every node, through which everything is done; what needs root goes through sudo without a
 * prompt.
 */
public final class Login {
    /** The default of {@link #user()}. */
    public static final UserName DEFAULT_USER = UserName.parse("azureuser");

    private final UserName user;
    private final List<SshPublicKey> publicKeys;
    private final @Nullable SecretReference password;

    private Login(Builder builder) {
        this.user = builder.user;
        this.publicKeys = List.copyOf(builder.publicKeys);
        this.password = builder.password;
    }

    /** Starts with the default of everything. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that holds the same values. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.user = user;
        builder.publicKeys.addAll(publicKeys);
        builder.password = password;
        return builder;
    }

    /** The name of the account. Default: {@code azureuser}. */
    public UserName user() {
        return user;
    }

    /** The keys that may log in. Default: none, and a key pair is made for the cluster. */
    public List<SshPublicKey> publicKeys() {
        return publicKeys;
    }

    /** Where the password is kept. Default: none; Windows needs one. */
    public Optional<SecretReference> password() {
        return Optional.ofNullable(password);
    }

    private List<Object> state() {
        return List.of(user(), publicKeys(), password());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Login that && state().equals(that.state());
    }

    @Override
    public int hashCode() {
        return state().hashCode();
    }

    @Override
    public String toString() {
        return "Login" + state();
    }

    /** Collects the parts of a {@link Login}. */
    public static final class Builder {
        private UserName user = DEFAULT_USER;
        private final List<SshPublicKey> publicKeys = new ArrayList<>();
        private @Nullable SecretReference password;

        Builder() {}

        /** Sets {@link Login#user()}. */
        public Builder user(UserName user) {
            this.user = Objects.requireNonNull(user, "user");
            return this;
        }

        /**
         * Sets {@link Login#user()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder user(String user) {
            return user(UserName.parse(user));
        }

        /** Replaces {@link Login#publicKeys()}. */
        public Builder publicKeys(List<SshPublicKey> publicKeys) {
            List<SshPublicKey> copy = List.copyOf(publicKeys);
            this.publicKeys.clear();
            copy.forEach(this::addPublicKey);
            return this;
        }

        /** Appends one to {@link Login#publicKeys()}. */
        public Builder addPublicKey(SshPublicKey publicKey) {
            publicKeys.add(Objects.requireNonNull(publicKey, "publicKey"));
            return this;
        }

        /**
         * Appends one, from text, to {@link Login#publicKeys()}.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder addPublicKey(String publicKey) {
            return addPublicKey(SshPublicKey.parse(publicKey));
        }

        /** Sets {@link Login#password()}. */
        public Builder password(SecretReference password) {
            this.password = Objects.requireNonNull(password, "password");
            return this;
        }

        /**
         * Sets {@link Login#password()} from text.
         *
         * @throws InvalidValueException when the text is not of the form
         */
        public Builder password(String password) {
            return password(SecretReference.parse(password));
        }

        /** The description. */
        public Login build() {
            return new Login(this);
        }
    }
}
