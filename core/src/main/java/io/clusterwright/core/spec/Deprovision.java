package io.clusterwright.core.spec;

/** What is taken off a machine before it is captured. */
public enum Deprovision {
    /** The identity of the machine; the login user and its keys stay. */
    KEEP_USER,
    /** The identity of the machine and the login user. */
    REMOVE_USER;

    /** The name as it stands in a description, such as {@code keep-user}. */
    @Override
    public String toString() {
        return Names.of(this);
    }
}
