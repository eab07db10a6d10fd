package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rules that need the description and the catalogs alone. */
final class StandardRules implements RuleSet {
    @Override
    public List<Rule> rules() {
        return Stream.of(
                        SizeRules.rules(),
                        SystemRules.rules(),
                        ImageRules.rules(),
                        ExtensionRules.rules(),
                        PlacementRules.rules(),
                        NameRules.rules(),
                        PortRules.rules(),
                        NetworkRules.rules(),
                        SshRules.rules(),
                        MemlockRules.rules(),
                        KernelRules.rules(),
                        QuotaRules.rules(),
                        MoneyRules.rules(),
                        SpotRules.rules(),
                        WindowsRules.rules(),
                        HpcPackRules.rules(),
                        UnsupportedRules.rules())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<FindingKind> otherKinds() {
        List<FindingKind> kinds = new ArrayList<>(ReadingFindings.OTHERS);
        kinds.add(new FindingKind(
                "CW-NODES-001",
                Severity.WARNING,
                "fewer nodes than asked for became ready, but not fewer than the quorum",
                "create the cluster again to make those that are missing"));
        kinds.add(
                new FindingKind(
                        "CW-NAME-006",
                        Severity.ERROR,
                        "a cluster of this name exists under another id, which this state folder has no record of",
                        "use another name, name the state folder that made it in CLUSTERWRIGHT_STATE, or adopt it: clusterwright adopt NAME --on PROVIDER (ClusterManager.adopt)"));
        kinds.add(
                new FindingKind(
                        "CW-ADOPT-001",
                        Severity.WARNING,
                        "the log-in keys of an adopted cluster are in another state folder, so its nodes cannot be reached",
                        "delete the journal, put the folder secrets of that cluster's record there and adopt it again, or replace the nodes: clusterwright create SPEC --on PROVIDER --replace-unreachable (CreateOptions.replaceUnreachable)"));
        return kinds;
    }
}
