package io.clusterwright.core.spi;

import java.util.List;

/**
 * The rules that a module brings. Found through {@link java.util.ServiceLoader}; codes are unique over all modules. Stateless
 * and safe for use by several threads.
 */
public interface RuleSet {

    /** The rules, in the order in which their findings are reported. */
    List<Rule> rules();

    /** What else the module reports under codes of its own, such as what a run or a check finds out. */
    default List<FindingKind> otherKinds() {
        return List.of();
    }
}
