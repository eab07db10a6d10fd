package io.clusterwright.mpi.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.preset.MpiPresets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Environment variables of a spec, against its preset and its MPI. */
final class VariableRules {
    private VariableRules() {}

    static List<Rule> rules() {
        return MpiVariables.kinds().stream()
                .map(kind -> new Rule(
                        kind,
                        EVERYWHERE,
                        (spec, facts, report) -> Stream.concat(
                                        findings(spec, facts).stream(),
                                        MpiVariables.checkThreads(
                                                spec.mpi().threadsPerRank(),
                                                spec.mpi().env())
                                                .stream())
                                .filter(finding -> finding.code().equals(kind.code()))
                                .forEach(finding -> report.add(finding.path(), finding.message(), finding.remedy()))))
                .toList();
    }

    private static List<Finding> findings(ClusterSpec spec, Facts facts) {
        Map<String, String> environment = spec.mpi().env();
        if (environment.isEmpty()) {
            return List.of();
        }
        Optional<MpiInstall> named = spec.image().customize().mpi();
        Optional<MpiInstall> mpi = named.or(() -> usual(spec, facts));
        String version = mpi.flatMap(MpiInstall::version).orElse("");
        Optional<MpiPreset> preset = spec.mpi().preset().equals(MpiPresets.AUTO)
                ? chosen(spec, facts, mpi)
                : MpiPresets.find(spec.mpi().preset());
        if (preset.isPresent()) {
            boolean same =
                    mpi.filter(install -> preset.get().isFor(install.flavour())).isPresent();
            return MpiVariables.check(preset.get(), same ? version : "", environment);
        }
        return named.map(install -> MpiVariables.check(install.flavour(), version, environment))
                .orElseGet(() -> MpiVariables.check(environment));
    }

    /** The MPI that is installed where none is named; this machine's own may be any. */
    private static Optional<MpiInstall> usual(ClusterSpec spec, Facts facts) {
        return facts.local() ? Optional.empty() : SizeDefaults.unnamedMpi(spec, facts.sizes());
    }

    /**
     * The meaning of {@code auto} for the network of the nodes and their MPI; nothing where one of the two is not known, nor on
     * nodes without RDMA, this machine's among them, where {@code auto} sets no variable.
     */
    private static Optional<MpiPreset> chosen(ClusterSpec spec, Facts facts, Optional<MpiInstall> mpi) {
        Optional<Interconnect> network =
                facts.size(spec).map(VmSizeFacts::interconnect).filter(Interconnect::isRdma);
        if (facts.local() || mpi.isEmpty() || network.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(MpiPresets.choose(
                            network.get(),
                            mpi.get().flavour(),
                            mpi.get().version().orElse(""))
                    .preset());
        } catch (InvalidValueException e) {
            // That this MPI cannot run over the network is reported by a separate rule.
            return Optional.empty();
        }
    }
}
