package io.clusterwright.core.spi;

import java.util.List;

/**
 * The rules that a module brings. Implement it to check specs against the rules of a site; a {@link Rule} reads the
 * spec and the {@link Facts}. Found through {@link java.util.ServiceLoader}; codes are unique over all modules.
 * Stateless and safe for use by several threads.
 *
 * <pre>{@code
 * final class SiteRules implements RuleSet {
 *     @Override
 *     public List<Rule> rules() {
 *         return List.of(Rule.warning(
 *                 "CW-SITE-001",
 *                 Rule.Where.CLOUD,
 *                 "the cluster has no time to live",
 *                 "write timeToLive: 8h",
 *                 (spec, facts, report) -> {
 *                     if (spec.timeToLive().isEmpty()) {
 *                         report.add("timeToLive", "cluster " + spec.name() + " has no time to live");
 *                     }
 *                 }));
 *     }
 * }
 * }</pre>
 */
public interface RuleSet {

    /** The rules, in the order in which their findings are reported. */
    List<Rule> rules();

    /** The other kinds of findings that the module reports, such as the findings of a run or a check. */
    default List<FindingKind> otherKinds() {
        return List.of();
    }
}
