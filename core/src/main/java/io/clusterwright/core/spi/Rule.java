package io.clusterwright.core.spi;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One possible problem of a spec. Use {@link #error}, {@link #warning} or {@link #info} to write one. Pure: the same
 * spec and facts always give the same findings.
 *
 * @param kind the common parts of its findings
 * @param where the providers on which it holds
 * @param check finds it
 * @see RuleSet
 */
public record Rule(FindingKind kind, Where where, Check check) {
    /** Checks that nothing is left out. */
    public Rule {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(check, "check");
    }

    /** A rule whose findings are errors. */
    public static Rule error(String code, Where where, String subject, String remedy, Check check) {
        return new Rule(new FindingKind(code, Severity.ERROR, subject, remedy), where, check);
    }

    /** A rule whose findings are warnings. */
    public static Rule warning(String code, Where where, String subject, String remedy, Check check) {
        return new Rule(new FindingKind(code, Severity.WARNING, subject, remedy), where, check);
    }

    /** A rule whose findings are worth knowing. */
    public static Rule info(String code, Where where, String subject, String remedy, Check check) {
        return new Rule(new FindingKind(code, Severity.INFO, subject, remedy), where, check);
    }

    /** The findings of the rule; empty where it does not hold. */
    public List<Finding> findings(ClusterSpec spec, Facts facts) {
        if (!where.holds(facts)) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        check.apply(
                spec,
                facts,
                (path, message, remedy) -> findings.add(new Finding(
                        kind.code(), kind.severity(), path, message, remedy.isEmpty() ? kind.remedy() : remedy)));
        return List.copyOf(findings);
    }

    /** The providers on which a rule holds. */
    public enum Where {
        /** On all providers. */
        EVERYWHERE,
        /** On everything but local nodes, and where the provider is not known. */
        CLOUD,
        /** On local nodes only, and not where the provider is not known. */
        LOCAL;

        boolean holds(Facts facts) {
            return switch (this) {
                case EVERYWHERE -> true;
                case CLOUD -> !facts.local();
                case LOCAL -> facts.local();
            };
        }
    }

    /** Examines a spec. */
    @FunctionalInterface
    public interface Check {
        /** Reports each place where the spec breaks the rule. */
        void apply(ClusterSpec spec, Facts facts, Report report);
    }

    /** Receives the places that break a rule. */
    @FunctionalInterface
    public interface Report {
        /**
         * Reports one place.
         *
         * @param path the field, such as {@code nodes.count}
         * @param message the fact
         * @param remedy the way to resolve it; empty for the remedy of the rule
         */
        void add(String path, String message, String remedy);

        /** Reports one place, with the remedy of the rule. */
        default void add(String path, String message) {
            add(path, message, "");
        }
    }
}
