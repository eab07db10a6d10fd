package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.azure.emulator.ArmEmulator;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Azure did what it was asked for, and its answer was lost: for each write of the life of a cluster, one after the other. */
@Tag("breadth")
class LostAnswerTest extends ScaleSetFixture {
    private static final int MOST_WRITES = 60;

    private static ClusterSpec spec(Placement.Kind kind) {
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(n -> n.count(2).firstIndex(11).size("Standard_HB120rs_v3"))
                .network(n -> n.addressSpace("10.42.0.0/16")
                        .subnet("Subnet-1", "10.42.0.0/22")
                        .ssh(ssh -> ssh.external(SshAccess.External.NONE)))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .placement(p -> p.kind(kind))
                .build();
    }

    @ParameterizedTest
    @EnumSource(
            value = Placement.Kind.class,
            names = {"AVAILABILITY_SET", "SCALE_SET"})
    void everyWriteOfAClustersLifeMayLoseItsAnswer(Placement.Kind kind) {
        int writes = life(spec(kind), Integer.MAX_VALUE);
        assertThat(writes).isBetween(10, MOST_WRITES);
        for (int lost = 1; lost <= writes; lost++) {
            life(spec(kind), lost);
        }
    }

    /** Lives through everything, where this write has no answer; returns the number of writes. */
    private int life(ClusterSpec spec, int lost) {
        AtomicInteger writes = new AtomicInteger();
        List<SeenRequest> seen = new ArrayList<>();
        ArmEmulator.Builder builder = ArmEmulator.builder()
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .realistic()
                .throttling(false)
                .coresPerFamily(60_000)
                .regionalCores(60_000)
                .answers(request -> {
                    if (!request.isWrite() || writes.incrementAndGet() != lost) {
                        return true;
                    }
                    seen.add(request);
                    return false;
                });
        log.announced.clear();
        try (ArmEmulator emulator = builder.start()) {
            AzureProvider azure = impatient(emulator, backend, leaps(emulator));
            String what = "write " + lost;
            Map<NodeName, Machine> made;
            try {
                azure.inspect(spec);
                made = made(create(azure, spec, spec.nodes().names()));
                assertThat(made).as(what + ": " + seen).hasSize(2);
                azure.stop(ID, made.values());
                azure.start(ID, made.values());
                Machine first = made.get(new NodeName("cluster11"));
                assertThat(azure.state(ID, first)).isEqualTo(MachineState.RUNNING);
                if (spec.placement().kind() == Placement.Kind.SCALE_SET) {
                    azure.delete(ID, first.resource());
                    assertThat(instances(azure, spec)).as(what + ": " + seen).hasSize(1);
                    assertThat(made(create(azure, spec, List.of(first.name()))))
                            .as(what + ": " + seen)
                            .hasSize(1);
                    assertThat(instances(azure, spec)).as(what + ": " + seen).hasSize(2);
                } else {
                    azure.capture(ID, first, "image-0123", "", 1);
                    assertThat(azure.images())
                            .as(what + ": " + seen)
                            .extracting(StoredImage::name)
                            .containsExactly("image-0123");
                    azure.proven("image-0123");
                    azure.deleteImage("image-0123");
                }
                for (ResourceId resource : log.reversed()) {
                    azure.delete(ID, resource);
                }
            } catch (RuntimeException e) {
                throw new AssertionError(what + " without an answer: " + seen, e);
            }
            assertThat(azure.remaining(ID)).as(what + ": " + seen).isEmpty();
        }
        return writes.get();
    }
}
