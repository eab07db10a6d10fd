package io.clusterwright.core.spi;

import java.util.List;

/**
 * The rules that a module brings. Found through {@link java.util.ServiceLoader}; codes are unique over all modules. Stateless
 * and safe for use by several threads.
 */
public interface RuleSet {

    /** The rules, in the order in which their findings are reported. */
    List<Rule> rules();

    /** The other kinds of findings that the module reports, such as those of a run or a check. */
    default List<FindingKind> otherKinds() {
        return List.of();
    }
}
