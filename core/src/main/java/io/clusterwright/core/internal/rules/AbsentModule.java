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
            List.of("CW-PRESET-", "CW-ENV-", "CW-FABRIC-", "CW-DIAG-"),
            "mpi.preset, mpi.env and whether the MPI can drive the network"));

    /** Those of the modules whose rules are not in a book. */
    static List<AbsentModule> of(RuleBook book) {
        return ALL.stream()
                .filter(module -> book.kinds().stream().noneMatch(kind -> module.owns(kind.code())))
                .toList();
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
