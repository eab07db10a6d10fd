package io.clusterwright.mpi.internal.rules;

import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.mpi.internal.explain.KnownFailures;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import java.util.List;
import java.util.stream.Stream;

/** The rules that need to know what an MPI can do. */
public final class MpiRules implements RuleSet {

    /** Creates the rules; they have no state. */
    public MpiRules() {}

    @Override
    public List<Rule> rules() {
        return Stream.of(FabricRules.rules(), PresetRules.rules(), VariableRules.rules())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<FindingKind> otherKinds() {
        return Stream.of(MpiFinding.kinds(), KnownFailures.kinds())
                .flatMap(List::stream)
                .toList();
    }
}
