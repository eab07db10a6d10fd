package io.clusterwright.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.VmSize;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final String START = "{name: demo, region: westeurope, timeToLive: 8h, ";

    private static ClusterSpec spec(String rest) {
        return SpecReader.read(START + rest + "}", "s.yaml");
    }

    private static Plan plan(String rest) {
        return Planner.offline().plan(spec(rest));
    }

    private static PlanStep step(Plan plan, Step step) {
        return plan.steps().stream()
                .filter(one -> one.step() == step)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> creates(Plan plan, Step step) {
        return plan.steps().stream()
                .filter(one -> one.step() == step)
                .flatMap(one -> one.creates().stream())
                .map(PlannedResource::toString)
                .toList();
    }

    @Nested
    class PartsOfProviders {
        private static final String SIZED = "nodes: {count: 2, size: Standard_HB120rs_v3},\n";

        @Test
        void aFindingAboutAPartOfAProviderHasItsPathAndPlace() {
            ClusterSpec spec = spec(SIZED + "on: {azure: {nodes: {size: Standard_HB120rs_v33}}}");

            for (List<Finding> findings : List.of(
                    Planner.check(spec),
                    Planner.check(spec, "azure"),
                    Planner.check(spec, "emulator"),
                    Planner.offline().plan(spec).findings())) {
                assertThat(findings)
                        .filteredOn(finding -> finding.code().equals("CW-SIZE-001"))
                        .singleElement()
                        .satisfies(finding -> {
                            assertThat(finding.path()).isEqualTo("on.azure.nodes.size");
                            assertThat(finding.line()).hasValue(2);
                            assertThat(finding.column()).hasValue(28);
                        });
            }
        }

        @Test
        void everyPartIsCheckedAndNothingIsReportedTwice() {
            String code = "CW-SUPPRESS-001";
            assertThat(Planner.check(spec(SIZED + "on: {azure: {suppress: [CW-COST-01]}}")))
                    .filteredOn(finding -> finding.code().equals(code))
                    .extracting(Finding::path)
                    .containsExactly("on.azure.suppress[0]");
            assertThat(Planner.check(spec(SIZED + "suppress: [CW-COST-01], on: {azure: {nodes: {count: 3}},"
                            + " local: {nodes: {count: 3}}}")))
                    .filteredOn(finding -> finding.code().equals(code))
                    .extracting(Finding::path)
                    .containsExactly("suppress[0]");
        }

        @Test
        void aRefusalOfRenderHasPlaces() {
            ClusterSpec spec = spec(SIZED + "on: {azure: {nodes: {size: Standard_A9, count: 500},"
                    + " network: {addressSpace: 10.32.0.0/24}}}");

            assertThatThrownBy(() -> Planner.offline().render(spec))
                    .isInstanceOfSatisfying(
                            SpecRefusedException.class,
                            refusal -> assertThat(refusal.findings())
                                    .filteredOn(Finding::isError)
                                    .isNotEmpty()
                                    .allMatch(finding -> finding.line().isPresent()));
        }

        @Test
        void aSuppressedErrorThatPreventsRenderingIsNamed() {
            ClusterSpec spec = spec(SIZED + "suppress: [CW-NET-003], network: {addressSpace: 10.32.0.0/30}");

            assertThatThrownBy(() -> Planner.offline().render(spec))
                    .isInstanceOfSatisfying(
                            SpecRefusedException.class,
                            refusal -> assertThat(refusal.findings())
                                    .filteredOn(Finding::isError)
                                    .extracting(Finding::code)
                                    .contains("CW-NET-003"));
        }

        @Test
        void aMisspeltProviderIsRefused() {
            ClusterSpec spec = spec("nodes: {count: 2}");
            assertThatThrownBy(() -> Planner.check(spec, "loacl"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("did you mean local?");
            assertThatThrownBy(() -> Planner.offline().provider("loacl")).hasMessageContaining("did you mean local?");
        }
    }

    @Test
    void nullIsRefusedByTheNameOfTheArgument() {
        ClusterSpec spec = spec("nodes: {count: 2}");
        assertThatThrownBy(() -> Planner.check(spec, absent())).hasMessage("provider");
        assertThatThrownBy(() -> SpecReader.read(PlannerTest.<String>absent(), "x"))
                .hasMessage("text");
        assertThatThrownBy(() -> ClusterSpec.builder("demo").putOn("local", PlannerTest.<String>absent()))
                .hasMessage("overlay");
        assertThatThrownBy(() -> new Finding(absent(), Severity.INFO, "", "a", "b"))
                .hasMessage("code");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T absent() {
        return null;
    }

    @Nested
    class Steps {
        @Test
        void stepsNameTheirResourcesAndBilledOnes() {
            Plan plan = plan("nodes: {count: 8, firstIndex: 11, prefix: node, size: Standard_HB120rs_v3},"
                    + " headNode: {size: Standard_D8s_v5}, network: {ssh: {external: none}}");

            assertThat(creates(plan, Step.NETWORK))
                    .containsExactly("virtual network demo-vnet", "security group demo-nsg");
            assertThat(creates(plan, Step.PLACEMENT)).containsExactly("scale set demo-vmss");
            assertThat(creates(plan, Step.NODES))
                    .containsExactly(
                            "network interface node10",
                            "disk node10, billed",
                            "Standard_D8s_v5 machine node10, billed",
                            "8 network interfaces node[11-18]",
                            "8 disks node[11-18], billed",
                            "8 Standard_HB120rs_v3 machines node[11-18], billed");
        }

        @Test
        void stepsResolveDefaultsOfTheSize() {
            assertThat(step(plan("nodes: {count: 2, size: Standard_A9}, image: {capture: true}"), Step.TEMPLATE)
                            .description())
                    .contains("SUSE:SLES-HPC:12:latest");
            assertThat(step(plan("nodes: {count: 2, size: Standard_HB120rs_v3}, image: {capture: true}"), Step.TEMPLATE)
                            .description())
                    .contains("ubuntu-hpc:2404");
        }

        @Test
        void usesAScaleSetForRdmaSizesManyNodesAndSpotMachines() {
            String fabric = "nodes: {count: 2, size: Standard_HB120rs_v3}";
            String many = "nodes: {count: 201, size: Standard_D8s_v5}";
            String spot = "nodes: {count: 2, size: Standard_D8s_v5, spot: {enabled: true}}";
            String few = "nodes: {count: 200, size: Standard_D8s_v5}";
            String windows = "operatingSystem: windows, nodes: {count: 2, size: Standard_HB120rs_v3}";

            assertThat(creates(plan(fabric), Step.PLACEMENT)).contains("scale set demo-vmss");
            assertThat(creates(plan(many), Step.PLACEMENT)).contains("scale set demo-vmss");
            assertThat(creates(plan(spot), Step.PLACEMENT)).contains("scale set demo-vmss");
            assertThat(creates(plan(few), Step.PLACEMENT)).contains("availability set demo-avset");
            assertThat(creates(plan(windows), Step.PLACEMENT)).contains("availability set demo-avset");
            assertThat(creates(plan(fabric + ", network: {firstAddress: 10.32.0.11}"), Step.PLACEMENT))
                    .contains("availability set demo-avset");
            assertThat(creates(plan(fabric + ", placement: {kind: availability-set}"), Step.PLACEMENT))
                    .contains("availability set demo-avset");
        }

        @Test
        void skipsAnExistingNetwork() {
            Plan plan = plan("nodes: {count: 2, size: Standard_HB120rs_v3}, network: {name: mine, existing: true}");

            assertThat(creates(plan, Step.NETWORK)).noneMatch(made -> made.startsWith("virtual network"));
            assertThat(plan.notChecked()).anyMatch(line -> line.startsWith("network: ") && line.contains("mine"));
        }

        @Test
        void countsPublicAddresses() {
            String nodes =
                    "nodes: {count: 3, size: Standard_HB120rs_v3}, network: {ssh: {allowFrom: [203.0.113.0/24], ";

            assertThat(creates(plan(nodes + "external: all}}"), Step.NETWORK))
                    .contains("3 public addresses demo-ip, billed")
                    .noneMatch(made -> made.contains("load balancer"));
            assertThat(creates(plan(nodes + "external: all, portPrefix: 101}}"), Step.NETWORK))
                    .contains("public address demo-ip, billed", "load balancer demo-lb, billed");
        }
    }

    @Nested
    class WhatIsNotKnown {
        @Test
        void isListedWithItsReason() {
            Plan plan = plan("nodes: {count: 2, size: Standard_HB120rs_v3}");

            assertThat(plan.notChecked())
                    .contains("price: no price table was given")
                    .anyMatch(line -> line.startsWith("size: Standard_HB120rs_v3: offered"))
                    .anyMatch(line -> line.startsWith("quota: "));
            assertThat(plan.price()).isEmpty();
            assertThat(plan.notChecked()).anyMatch(line -> line.startsWith("network.ssh.allowFrom: it is empty"));
            assertThat(plan("nodes: {count: 2}, network: {ssh: {allowFrom: [203.0.113.0/24]}}")
                            .notChecked())
                    .noneMatch(line -> line.startsWith("network.ssh"));
            assertThat(plan.toText())
                    .contains(
                            "\nnot checked\n",
                            "No rule prevents this cluster; the checks that could not run still may.");
        }

        @Test
        void leavesTheListWhenTheCallerKnowsIt() {
            Plan plan = Planner.offline()
                    .prices(new PriceTable("EUR", Map.of(VmSize.of("Standard_HB120rs_v3"), new BigDecimal("3.5"))))
                    .quota(List.of(
                            new QuotaUse("standardHBv3Family", 120, 300),
                            new QuotaUse("Total Regional vCPUs", 120, 1000)))
                    .plan(spec("nodes: {count: 2, size: Standard_HB120rs_v3}"));

            assertThat(plan.price().orElseThrow().perHour()).isEqualByComparingTo("7");
            assertThat(plan.quota()).extracting(QuotaLine::family).containsExactly("standardHBv3Family", "cores");
            assertThat(plan.quota()).extracting(QuotaLine::exceeded).containsExactly(true, false);
            assertThat(plan.findings()).extracting(Finding::code).contains("CW-QUOTA-001");
            assertThat(plan.isFeasible()).isFalse();
            assertThat(plan.notChecked()).noneMatch(line -> line.startsWith("quota") || line.startsWith("price"));
            assertThat(plan.toText()).contains("This cannot be created: correct the errors first.");
        }
    }

    @Nested
    class TheRegion {
        private static final String HEADED =
                "nodes: {count: 2, size: Standard_HB120rs_v3%s}, headNode: {size: Standard_D8s_v5, index: 100}";

        @Test
        void countsAllMachinesTogether() {
            assertThat(lines(HEADED.formatted("")))
                    .containsExactly("standardHBv3Family 240", "Standard_D8s_v5 8", "cores 248");
        }

        @Test
        void countsSpotMachinesApartAndAgainstNoFamily() {
            assertThat(lines(HEADED.formatted(", spot: {enabled: true}")))
                    .containsExactly("Standard_D8s_v5 8", "lowPriorityCores 240", "cores 8");
        }

        @Test
        void countsTheProxiesOfABurst() {
            String burst = "operatingSystem: windows, nodes: {count: 4, size: Standard_A8}, hpcPack: {scenario: burst,"
                    + " burst: {cloudService: c1, storageAccount: store1}}";

            assertThat(lines(burst)).containsExactly("standardA8_A11Family 48", "cores 48");
        }

        @Test
        void refusesExactlyWhatTheQuotaForbids() {
            String spot = "nodes: {count: 2, size: Standard_HB120rs_v3, spot: {enabled: true}}";
            String plain = "nodes: {count: 2, size: Standard_HB120rs_v3}";

            assertThat(refusals(plain, "cores", 239))
                    .containsExactly(
                            "the cluster needs 240 cores of all sizes in the region (cores); 0 of 239 are in use");
            assertThat(refusals(plain, "cores", 240)).isEmpty();
            assertThat(refusals(plain, "lowPriorityCores", 0)).isEmpty();
            assertThat(refusals(spot, "lowPriorityCores", 239))
                    .containsExactly(
                            "the cluster needs 240 cores of spot machines in the region (lowPriorityCores); 0 of 239"
                                    + " are in use");
            assertThat(refusals(spot, "lowPriorityCores", 240)).isEmpty();
            assertThat(refusals(spot, "standardHBv3Family", 0)).isEmpty();
            assertThat(refusals(spot, "cores", 0)).isEmpty();
        }

        private static List<String> lines(String text) {
            return plan(text).quota().stream()
                    .map(line -> line.family() + " " + line.billedCores())
                    .toList();
        }

        private static List<String> refusals(String text, String family, int limit) {
            return Planner.offline().quota(List.of(new QuotaUse(family, 0, limit))).plan(spec(text)).findings().stream()
                    .filter(finding -> finding.code().equals("CW-QUOTA-001"))
                    .map(Finding::message)
                    .toList();
        }
    }

    @Test
    void carriesOutTheMpiOfTheSizeWhereNoneIsNamed() {
        assertThat(mpi("nodes: {count: 2, size: Standard_A9}")).contains(MpiFlavour.INTEL_MPI);
        assertThat(mpi("nodes: {count: 2, size: Standard_D8s_v5}")).contains(MpiFlavour.OPEN_MPI);
        assertThat(mpi("nodes: {count: 2, size: Standard_A9},"
                        + " image: {customize: {mpi: {flavour: mpich, install: distribution}}}"))
                .contains(MpiFlavour.MPICH);
        assertThat(mpi("nodes: {count: 2, size: Standard_A9}, image: {base:"
                        + " 'almalinux:almalinux-x86_64:9-gen2:latest'}"))
                .isEmpty();
        assertThat(mpi("operatingSystem: windows, nodes: {count: 2, size: Standard_A9}"))
                .isEmpty();
        assertThat(Planner.offline()
                        .provider("local")
                        .plan(spec("nodes: {count: 2, size: Standard_A9}"))
                        .spec()
                        .image()
                        .customize()
                        .mpi())
                .isEmpty();
    }

    private static Optional<MpiFlavour> mpi(String text) {
        return plan(text).spec().image().customize().mpi().map(MpiInstall::flavour);
    }

    @Test
    void usesThePartOfTheDescriptionThatIsForTheProvider() {
        ClusterSpec spec = spec("nodes: {count: 2, size: Standard_HB120rs_v3}, on: {local: {nodes: {count: 4}}}");

        assertThat(Planner.offline().plan(spec).spec().nodes().count()).isEqualTo(2);
        Plan local = Planner.offline().provider("local").plan(spec);
        assertThat(local.spec().nodes().count()).isEqualTo(4);
        assertThat(local.quota()).isEmpty();
        assertThat(creates(local, Step.NODES)).containsExactly("4 nodes demo[1-4]");
    }

    @Test
    void showsFindingsFromTheChosenSeverity() {
        Plan plan = plan("nodes: {count: 2, size: Standard_A9}, image: {base: 'SUSE:SLES-HPC:12:latest'}");

        assertThat(plan.findings()).extracting(Finding::severity).contains(Severity.WARNING, Severity.INFO);
        assertThat(plan.atLeast(Severity.WARNING).findings())
                .extracting(Finding::severity)
                .containsOnly(Severity.WARNING);
        assertThat(plan.atLeast(Severity.INFO)).isEqualTo(plan);
    }

    @Test
    void refusesToCountNothing() {
        assertThatThrownBy(() -> PlannedResource.billed("disk", "d", 0)).isInstanceOf(InvalidValueException.class);
    }
}
