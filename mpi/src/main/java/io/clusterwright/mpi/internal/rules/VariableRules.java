package io.clusterwright.mpi.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.preset.MpiVariables;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Environment variables of a description, against its preset and its MPI. */
final class VariableRules {
    private VariableRules() {}

    static List<Rule> rules() {
        return MpiVariables.kinds().stream()
                .map(kind -> new Rule(
                        kind,
                        EVERYWHERE,
                        (spec, facts, report) -> findings(spec).stream()
                                .filter(finding -> finding.code().equals(kind.code()))
                                .forEach(finding -> report.say(finding.path(), finding.message(), finding.remedy()))))
                .toList();
    }

    private static List<Finding> findings(ClusterSpec spec) {
        Map<String, String> environment = spec.mpi().env();
        Optional<MpiInstall> mpi = spec.image().customize().mpi();
        String version = mpi.flatMap(MpiInstall::version).orElse("");
        Optional<MpiPreset> preset = MpiPresets.find(spec.mpi().preset());
        if (preset.isPresent()) {
            boolean same =
                    mpi.filter(install -> preset.get().isFor(install.flavour())).isPresent();
            return MpiVariables.check(preset.get(), same ? version : "", environment);
        }
        return mpi.map(install -> MpiVariables.check(install.flavour(), version, environment))
                .orElseGet(() -> MpiVariables.check(environment));
    }
}
