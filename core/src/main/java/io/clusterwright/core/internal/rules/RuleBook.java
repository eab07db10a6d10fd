package io.clusterwright.core.internal.rules;

import io.clusterwright.core.internal.service.Services;
import io.clusterwright.core.internal.spec.YamlTree;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The rules of all modules, applied together. */
public final class RuleBook {
    private static final FindingKind UNKNOWN_CODE = new FindingKind(
            "CW-SUPPRESS-001",
            Severity.WARNING,
            "a suppressed code is not known",
            "correct the code, or remove it from suppress");

    private final List<RuleSet> sets;
    private final List<Rule> rules = new ArrayList<>();

    private RuleBook(List<RuleSet> sets) {
        this.sets = sets;
        sets.forEach(set -> rules.addAll(set.rules()));
    }

    /** The rules of all modules that are present. */
    public static RuleBook installed() {
        List<RuleSet> sets = new ArrayList<>(List.of(new StandardRules()));
        sets.addAll(Services.of(RuleSet.class));
        return new RuleBook(sets);
    }

    /** The rules of this module alone. */
    static RuleBook standard() {
        return new RuleBook(List.of(new StandardRules()));
    }

    /**
     * The findings that the spec does not suppress: first the findings of the rules.
     *
     * @param others findings from elsewhere, such as of a provider
     */
    public List<Finding> check(ClusterSpec spec, Facts facts, List<Finding> others) {
        List<Finding> findings = new ArrayList<>();
        rules.forEach(rule -> findings.addAll(rule.findings(spec, facts)));
        findings.addAll(unknownCodes(spec));
        findings.addAll(others);
        return visible(spec, findings);
    }

    /** The findings that the spec does not suppress. */
    public static List<Finding> visible(ClusterSpec spec, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !spec.suppress().contains(finding.code()))
                .toList();
    }

    /** The parts of a plan that are not checked, for lack of a module or of facts, each with the reason. */
    public List<String> notChecked(ClusterSpec spec, Facts facts, List<QuotaLine> quota, Optional<Price> price) {
        List<String> lines = new ArrayList<>(
                AbsentModule.of(this).stream().map(AbsentModule::toString).toList());
        if (facts.local()) {
            return lines;
        }
        quota.stream()
                .filter(line -> line.use().isEmpty())
                .forEach(line -> lines.add("quota: usage and limit of " + line.family() + " are not known"));
        PlannedMachines.of(spec).stream()
                .map(PlannedMachines::size)
                .distinct()
                .filter(size -> facts.sizes().find(size).isEmpty())
                .forEach(size -> lines.add("quota: " + size + " is not in the catalog, so no line counts it"));
        if (facts.prices().isEmpty()) {
            lines.add("price: no price table was given");
        } else if (price.isEmpty()) {
            PriceTable table = facts.prices().get();
            PlannedMachines.of(spec).stream()
                    .map(PlannedMachines::size)
                    .distinct()
                    .filter(size -> table.of(size).isEmpty())
                    .forEach(size -> lines.add("price: " + size + " is missing in the price table"
                            + NearestName.of(
                                            size.name(),
                                            table.perHour().keySet().stream()
                                                    .map(VmSize::name)
                                                    .toList())
                                    .map(near -> ", which has " + near)
                                    .orElse("")));
        }
        return lines;
    }

    /** Every kind of finding that the modules can report. Kinds that no rule has may have to be read from files. */
    public List<FindingKind> kinds() {
        List<FindingKind> kinds = new ArrayList<>();
        sets.forEach(set -> kinds.addAll(set.otherKinds()));
        rules.forEach(rule -> kinds.add(rule.kind()));
        kinds.add(UNKNOWN_CODE);
        return kinds;
    }

    private List<Finding> unknownCodes(ClusterSpec spec) {
        if (spec.suppress().isEmpty()) {
            return List.of();
        }
        SortedSet<String> known = new TreeSet<>();
        kinds().forEach(kind -> known.add(kind.code()));
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < spec.suppress().size(); i++) {
            String code = spec.suppress().get(i);
            if (!known.contains(code) && !AbsentModule.mayOwn(this, code)) {
                String remedy = NearestName.question(code, known).orElse(UNKNOWN_CODE.remedy());
                findings.add(new Finding(
                        UNKNOWN_CODE.code(),
                        UNKNOWN_CODE.severity(),
                        "suppress[" + i + "]",
                        "there is no finding with the code " + YamlTree.shorten(code),
                        remedy));
            }
        }
        return findings;
    }

    /**
     * An absent module with rules: the fields that it checks are reported as not checked.
     *
     * @param module its name in Maven
     * @param families the prefixes of the codes of its findings
     * @param checks the fields that it checks, in words
     */
    private record AbsentModule(String module, List<String> families, String checks) {
        private static final List<AbsentModule> ALL = List.of(new AbsentModule(
                "clusterwright-mpi",
                List.of("CW-PRESET-", "CW-ENV-", "CW-FABRIC-", "CW-DIAG-", "CW-MPI-", "CW-BENCH-", "CW-MEMLOCK-"),
                "mpi.preset, mpi.env and whether the MPI can drive the network"));
        /** The prefix of the codes of the module of local nodes. Without it there are no local nodes, so nothing is unchecked. */
        private static final String LOCAL = "CW-LOCAL-";

        /** The modules whose rules are not in a book. */
        static List<AbsentModule> of(RuleBook book) {
            return ALL.stream()
                    .filter(module -> book.rules.stream()
                            .noneMatch(rule -> module.owns(rule.kind().code())))
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

        /** The unchecked fields and the reason. */
        @Override
        public String toString() {
            return checks + ": the module " + module + " is not on the class path";
        }
    }
}
