package io.clusterwright.core.internal.rules;

import io.clusterwright.core.internal.spec.SpecText;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeSet;

/** All rules there are, applied together. */
public final class RuleBook {
    private static final FindingKind UNKNOWN_CODE = new FindingKind(
            "CW-SUPPRESS-001",
            Severity.WARNING,
            "a suppressed code is not known",
            "correct it, or leave it out when what it suppressed is gone");

    private final List<Rule> rules = new ArrayList<>();
    private final List<FindingKind> kinds = new ArrayList<>();

    private RuleBook(Iterable<RuleSet> sets) {
        for (RuleSet set : sets) {
            rules.addAll(set.rules());
            kinds.addAll(set.otherKinds());
        }
        rules.forEach(rule -> kinds.add(rule.kind()));
        kinds.add(UNKNOWN_CODE);
    }

    /** What the rules of all modules find that need nothing but the catalogs. */
    public static List<Finding> offline(ClusterSpec spec) {
        return installed().check(spec, Facts.offline());
    }

    /** The rules of all modules that are present. */
    public static RuleBook installed() {
        List<RuleSet> sets = new ArrayList<>(List.of(new StandardRules()));
        ServiceLoader.load(RuleSet.class).forEach(sets::add);
        return new RuleBook(sets);
    }

    /** The rules of this module alone. */
    static RuleBook standard() {
        return new RuleBook(List.of(new StandardRules()));
    }

    /** What the rules find, without what the description suppresses. */
    public List<Finding> check(ClusterSpec spec, Facts facts) {
        List<Finding> findings = new ArrayList<>();
        rules.forEach(rule -> findings.addAll(rule.findings(spec, facts)));
        findings.addAll(unknownCodes(spec));
        return visible(spec, findings);
    }

    /** The findings that the description does not suppress. */
    public static List<Finding> visible(ClusterSpec spec, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !spec.suppress().contains(finding.code()))
                .toList();
    }

    /** What no rule looks at because the module that knows about it is not there, each with the reason. */
    public List<String> notChecked() {
        return AbsentModule.of(this).stream().map(AbsentModule::toString).toList();
    }

    /** Every kind of finding that the modules can report. */
    public List<FindingKind> kinds() {
        return List.copyOf(kinds);
    }

    private List<Finding> unknownCodes(ClusterSpec spec) {
        SortedSet<String> known = new TreeSet<>();
        kinds.forEach(kind -> known.add(kind.code()));
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < spec.suppress().size(); i++) {
            String code = spec.suppress().get(i);
            if (!known.contains(code) && !AbsentModule.mayOwn(this, code)) {
                String remedy = NearestName.of(code, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElse(UNKNOWN_CODE.remedy());
                findings.add(new Finding(
                        UNKNOWN_CODE.code(),
                        UNKNOWN_CODE.severity(),
                        "suppress[" + i + "]",
                        "no finding has the code " + SpecText.shorten(code),
                        remedy));
            }
        }
        return findings;
    }
}
