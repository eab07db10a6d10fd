package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rules that need the spec and the catalogs alone. */
final class StandardRules implements RuleSet {
    @Override
    public List<Rule> rules() {
        return Stream.of(
                        SizeRules.rules(),
                        RankRules.rules(),
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
                "some nodes did not become ready; the quorum is met",
                "run create again to add them; to require all nodes, raise nodes.quorum"));
        kinds.add(
                new FindingKind(
                        "CW-NAME-006",
                        Severity.ERROR,
                        "a cluster of this name already exists, and this state folder has no record of it",
                        "write another name, set CLUSTERWRIGHT_STATE to the state folder that created it, or run: clusterwright adopt NAME --on PROVIDER (ClusterManager.adopt)"));
        kinds.add(
                new FindingKind(
                        "CW-ADOPT-001",
                        Severity.WARNING,
                        "the login keys of an adopted cluster are in another state folder, so its nodes cannot be reached",
                        "to keep the nodes: 1. delete the file clusters/NAME/journal.jsonl in this state folder; 2. copy the folder clusters/NAME/secrets from the other state folder; 3. run: clusterwright adopt NAME --on PROVIDER; to replace the nodes, run: clusterwright create SPEC --on PROVIDER --replace-unreachable (CreateOptions.replaceUnreachable)"));
        return kinds;
    }
}
