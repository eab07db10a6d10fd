package io.clusterwright.core.internal.rules;

import java.util.List;

/**
 * A module that brings rules of its own, and is not there: what it would have looked at is not checked.
 *
 * @param module its name in Maven
 * @param families how the codes of its findings begin
 * @param checks what it looks at, for people
 */
record AbsentModule(String module, List<String> families, String checks) {
    private static final List<AbsentModule> ALL = List.of(new AbsentModule(
            "clusterwright-mpi",
            List.of("CW-PRESET-", "CW-ENV-", "CW-FABRIC-", "CW-DIAG-", "CW-MPI-", "CW-BENCH-", "CW-MEMLOCK-"),
            "mpi.preset, mpi.env and whether the MPI can drive the network"));
    /** What the module reports that makes local nodes: it leaves nothing unchecked where it is absent, for there are no such nodes then. */
    private static final String LOCAL = "CW-LOCAL-";

    /** Those of the modules whose rules are not in a book. */
    static List<AbsentModule> of(RuleBook book) {
        return ALL.stream()
                .filter(module -> book.kinds().stream().noneMatch(kind -> module.owns(kind.code())))
                .toList();
    }

    /** Whether the code may be one of a module whose rules are not in a book. */
    static boolean mayOwn(RuleBook book, String code) {
        boolean local = book.kinds().stream().anyMatch(kind -> kind.code().startsWith(LOCAL));
        return of(book).stream().anyMatch(module -> module.owns(code)) || !local && code.startsWith(LOCAL);
    }

    boolean owns(String code) {
        return families.stream().anyMatch(code::startsWith);
    }

    /** What is not checked, and why. */
    @Override
    public String toString() {
        return checks + ", because the module " + module + " is not there";
    }
}
