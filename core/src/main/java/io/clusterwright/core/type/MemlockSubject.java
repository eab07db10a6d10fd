package io.clusterwright.core.type;

import java.util.Objects;

/**
 * The users that a limit of locked memory is for, written as the first column of limits.conf(5). Use it to give a
 * user, a group or root a limit of its own.
 *
 * @see io.clusterwright.core.spec.Customization
 */
public sealed interface MemlockSubject {

    /**
     * Reads a subject.
     *
     * @param text a user's name, {@code @} and a group's name, or {@code *} for everyone but root
     * @throws InvalidValueException when it is none of these
     */
    static MemlockSubject of(String text) {
        if (text.equals("*")) {
            return new Everyone();
        }
        try {
            return text.startsWith("@") ? new Group(GroupName.of(text.substring(1))) : new User(UserName.of(text));
        } catch (InvalidValueException e) {
            throw new InvalidValueException(
                    "subject of a memory limit", text, "a user name, @ and a group name, or *", "@hpc");
        }
    }

    /** Whether root gets the limit too: pam_limits gives root only what a line names root for. */
    default boolean appliesToRoot() {
        return this instanceof User user && user.name().equals(UserName.ROOT);
    }

    /**
     * One user.
     *
     * @param name the account
     */
    record User(UserName name) implements MemlockSubject {
        /** Refuses null. */
        public User {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public String toString() {
            return name.value();
        }
    }

    /**
     * The members of a group.
     *
     * @param name the group
     */
    record Group(GroupName name) implements MemlockSubject {
        /** Refuses null. */
        public Group {
            Objects.requireNonNull(name, "name");
        }

        @Override
        public String toString() {
            return "@" + name;
        }
    }

    /** Everyone but root. */
    record Everyone() implements MemlockSubject {
        @Override
        public String toString() {
            return "*";
        }
    }
}
