package io.clusterwright.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.VmSize;
import java.lang.reflect.Modifier;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VmSizesTest {
    private static final VmSizes SIZES = VmSizes.standard();

    private static VmSizeFacts size(String name) {
        return SIZES.find(VmSize.of(name)).orElseThrow();
    }

    @Nested
    final class TheStandardCatalog {
        @Test
        void knowsTheSizesOfTheArticle() {
            VmSizeFacts a9 = size("Standard_A9");
            assertThat(a9.shortName()).isEqualTo("A9");
            assertThat(a9.vcpus()).isEqualTo(16);
            assertThat(a9.memoryGib()).isEqualTo(112);
            assertThat(a9.interconnect()).isEqualTo(Interconnect.NETWORK_DIRECT);
            assertThat(a9.infiniBand()).hasValue(InfiniBand.QDR);
            assertThat(a9.linkRate()).hasValue(Bandwidth.ofGigabitsPerSecond(32));
            assertThat(a9.quotaFamily()).hasValue("standardA8_A11Family");
            assertThat(a9.verbsLatency()).isEmpty();
            assertThat(a9.mpiLatency()).isEmpty();
            assertThat(a9.mpiSource()).isEmpty();
            assertThat(List.of("Standard_A8", "Standard_H16r", "Standard_H16mr"))
                    .allMatch(name -> size(name).interconnect() == Interconnect.NETWORK_DIRECT);
            assertThat(size("a10").interconnect()).isEqualTo(Interconnect.NONE);
        }

        @Test
        void readsPublishedFigures() {
            VmSizeFacts hbv3 = size("Standard_HB120rs_v3");
            assertThat(hbv3.interconnect()).isEqualTo(Interconnect.SRIOV_INFINIBAND);
            assertThat(hbv3.verbsLatency().orElseThrow().micros()).isEqualTo(1.2);
            assertThat(hbv3.verbsBandwidth().orElseThrow().bytesPerSecond()).isEqualTo(192e9 / 8);
            assertThat(hbv3.mpiLatency().orElseThrow().micros()).isEqualTo(1.59);
            assertThat(hbv3.mpiBandwidth()).hasValue(Bandwidth.ofGigabitsPerSecond(196));
            assertThat(hbv3.mpiSource()).contains("Open MPI 4.1.6");
            assertThat(size("HB176rs_v4").verbsLatency().orElseThrow().micros()).isEqualTo(2);
            assertThat(size("HB176rs_v4").mpiLatency()).isEmpty();
        }

        @Test
        void knowsTheTopology() {
            VmSizeFacts hbv3 = size("Standard_HB120rs_v3");
            assertThat(hbv3.count(Binding.SOCKET)).hasValue(2);
            assertThat(hbv3.count(Binding.NUMA)).hasValue(4);
            assertThat(hbv3.count(Binding.L3)).hasValue(16);
            assertThat(hbv3.count(Binding.CORE)).hasValue(120);
            assertThat(hbv3.count(Binding.NONE)).isEmpty();
            assertThat(hbv3.misreport()).hasValue(VmSizeFacts.Misreport.L3);
            assertThat(size("HB176rs_v4").misreport()).hasValue(VmSizeFacts.Misreport.CORES);
            assertThat(size("HB60rs").count(Binding.NUMA)).hasValue(15);
            assertThat(size("HB368-240rs_v5").ranksPerL3()).hasValue(5);
            assertThat(size("HC44rs").binding()).isEqualTo(Binding.CORE);
            assertThat(size("A9").count(Binding.NUMA)).isEmpty();
        }

        @Test
        void everyTopologyHasItsSourceAndDividesTheCores() {
            assertThat(SIZES.all()).allSatisfy(facts -> {
                OptionalInt domains = facts.count(Binding.NUMA);
                assertThat(domains.isPresent())
                        .isEqualTo(!facts.topologySource().isEmpty());
                if (domains.isPresent()) {
                    assertThat(facts.vcpus() % domains.getAsInt()).isZero();
                }
                facts.count(Binding.L3)
                        .ifPresent(caches -> assertThat(caches).isBetween(domains.getAsInt(), facts.vcpus()));
            });
        }

        @ParameterizedTest
        @CsvSource({
            "'', 120",
            "threadsPerRank: 4, 30",
            "ranksPerNode: 16, 16",
            "'ranksPerNuma: 7, threadsPerRank: 4', 28",
            "ranksPerL3: 2, 32",
        })
        void countsTheRanksOfANode(String mpi, int ranks) {
            MpiSettings defaults = SpecReader.read("{name: demo, nodes: {count: 2}, mpi: {" + mpi + "}}", "demo.yaml")
                    .mpi();

            assertThat(size("Standard_HB120rs_v3").ranks(defaults)).isEqualTo(ranks);
        }

        @Test
        void everyFigureHasItsSource() {
            assertThat(SIZES.all()).allSatisfy(facts -> {
                assertThat(facts.verbsLatency().isPresent()
                                || facts.verbsBandwidth().isPresent())
                        .isEqualTo(!facts.verbsSource().isEmpty());
                assertThat(facts.mpiLatency().isPresent()
                                || facts.mpiBandwidth().isPresent())
                        .isEqualTo(!facts.mpiSource().isEmpty());
            });
        }

        @Test
        void theRateOfAMachineIsThatOfAllItsPorts() {
            assertThat(size("HB368rs_v5").ports()).isEqualTo(4);
            assertThat(size("HB368rs_v5").verbsBandwidth()).hasValue(Bandwidth.ofGigabitsPerSecond(200));
            assertThat(size("ND96asr_v4").ports()).isEqualTo(8);
            assertThat(size("D8s_v5").ports()).isZero();
            assertThat(SIZES.all()).allSatisfy(facts -> {
                assertThat(facts.ports() > 0).isEqualTo(facts.infiniBand().isPresent());
                facts.verbsBandwidth()
                        .ifPresent(port -> assertThat(port.gigabitsPerSecond() * facts.ports())
                                .isLessThanOrEqualTo(
                                        facts.linkRate().orElseThrow().gigabitsPerSecond()));
            });
        }

        @Test
        void constrainedSizesHaveTheFiguresOfTheFullSize() {
            assertThat(SIZES.all()).allSatisfy(facts -> {
                VmSizeFacts full = size(facts.shortName().replaceFirst("-\\d+", ""));
                assertThat(facts.mpiLatency()).isEqualTo(full.mpiLatency());
                assertThat(facts.verbsLatency()).isEqualTo(full.verbsLatency());
                assertThat(facts.ports()).isEqualTo(full.ports());
            });
        }

        @Test
        void billsConstrainedSizesAsTheFullSize() {
            VmSizeFacts constrained = size("Standard_HB120-16rs_v3");
            assertThat(constrained.vcpus()).isEqualTo(16);
            assertThat(constrained.billedCores()).isEqualTo(120);
            assertThat(constrained.isConstrained()).isTrue();
            assertThat(SIZES.all()).allSatisfy(facts -> {
                String full = facts.shortName().replaceFirst("-\\d+", "");
                assertThat(facts.billedCores()).isEqualTo(size(full).vcpus());
                assertThat(facts.isConstrained()).isEqualTo(!full.equals(facts.shortName()));
            });
        }

        @Test
        void givesRetirementDatesAndReplacements() {
            VmSizeFacts hc = size("Standard_HC44rs");
            assertThat(hc.status()).isEqualTo(VmSizeFacts.Status.RETIRING);
            assertThat(hc.retiredOn()).hasValue(LocalDate.of(2027, 5, 31));
            assertThat(hc.replacement()).hasValue(VmSizes.HB120RS_V3);
            assertThat(size("A9").status()).isEqualTo(VmSizeFacts.Status.RETIRED);
            assertThat(size("HB120rs_v3").retiredOn()).isEmpty();
        }

        @Test
        void replacementsExistAndAreNotRetired() {
            assertThat(SIZES.all().stream().flatMap(facts -> facts.replacement().stream()))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(size(name.name()).status()).isEqualTo(VmSizeFacts.Status.CURRENT));
        }

        @Test
        void datesExactlyTheRetiringSizes() {
            assertThat(SIZES.all())
                    .allSatisfy(facts -> assertThat(facts.retiredOn().isPresent())
                            .isEqualTo(facts.status() != VmSizeFacts.Status.CURRENT));
        }

        @Test
        void marksFiguresOnWhichSourcesDisagree() {
            assertThat(SIZES.all().stream().filter(VmSizeFacts::isInterconnectDisputed))
                    .extracting(VmSizeFacts::shortName)
                    .containsExactly("NC24rs_v2", "ND24rs");
            assertThat(size("ND24rs").interconnect().isRdma()).isTrue();
        }

        @Test
        void knowsProcessorsAndImageGenerations() {
            assertThat(size("ND128isr_GB300_v6").architecture()).isEqualTo(Architecture.ARM64);
            assertThat(size("ND128isr_GB300_v6").infiniBand()).hasValue(InfiniBand.UNSPECIFIED);
            assertThat(size("HX176rs").isGeneration2Only()).isTrue();
            assertThat(size("HB120rs_v3").isGeneration2Only()).isFalse();
        }

        @Test
        void hasSizesForHeadNodes() {
            assertThat(size("D8s_v5").interconnect()).isEqualTo(Interconnect.NONE);
            assertThat(size("A4").use()).contains("head node");
            assertThat(SIZES.rdma())
                    .extracting(VmSizeFacts::shortName)
                    .contains("A8")
                    .doesNotContain("A10", "A4");
        }

        @Test
        void givesEveryRowASource() {
            assertThat(SIZES.all())
                    .hasSize(74)
                    .allSatisfy(facts -> assertThat(facts.source()).isNotBlank());
        }

        @Test
        void hasEverySizeThatHasAConstant() throws IllegalAccessException {
            for (var field : VmSizes.class.getFields()) {
                assertThat(Modifier.isStatic(field.getModifiers())).isTrue();
                VmSize constant = (VmSize) field.get(null);
                assertThat(constant).isNotNull();
                assertThat(size(constant == null ? "" : constant.name())
                                .shortName()
                                .toUpperCase(java.util.Locale.ROOT))
                        .isEqualTo(field.getName());
            }
        }
    }

    @Nested
    final class AMistypedName {
        @Test
        void findsTheNearestSize() {
            assertThat(SIZES.nearest("Standard_HB120rs_v30")).hasValue(VmSizes.HB120RS_V3);
            assertThat(SIZES.nearest("Standrd_A9")).hasValue(VmSizes.A9);
            assertThat(SIZES.nearest("hb120r_v3")).hasValue(VmSizes.HB120RS_V3);
        }

        @Test
        void findsNothingWhenNothingIsNear() {
            assertThat(SIZES.nearest("m5.24xlarge")).isEmpty();
        }
    }
}
