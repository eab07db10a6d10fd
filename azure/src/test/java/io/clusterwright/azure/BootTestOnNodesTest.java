package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.Script;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The boot test of an image on real nodes, through Azure's calls. */
@Tag("breadth")
class BootTestOnNodesTest {
    /** Sessions that are open go on; the next start of sshd ends at once. */
    private static final String BREAK = """
        #!/bin/sh
        sudo mv /usr/sbin/sshd /usr/sbin/sshd.gone
        printf '#!/bin/sh\\necho no sshd any more >&2\\nexit 1\\n' | sudo tee /usr/sbin/sshd
        sudo chmod 755 /usr/sbin/sshd
        """;

    @TempDir
    private Path folder;

    @Test
    void anImageThatDoesNotBootIsDeletedBeforeThereIsANode() throws Exception {
        Files.writeString(folder.resolve("break.sh"), BREAK);
        ClusterSpec broken = AzureFixture.builder(3)
                .network(n -> n.addressSpace("10.63.0.0/16").subnet("Subnet-1", "10.63.0.0/16"))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest")
                        .customize(c -> c.addScript(Script.of("break", "break.sh"))))
                .verify(v -> v.hostname(false))
                .build()
                .toBuilder()
                .baseFolder(folder)
                .build();
        LocalMachines local = AzureFixture.local(folder);
        try (TestAzure server = new TestAzure(emulator -> emulator.machinesBackedBy(local.host()));
                AzureProvider azure =
                        AzureFixture.open(AzureFixture.real(server).build());
                ClusterManager manager = AzureFixture.manager(ProviderMachines.of(azure), folder)) {
            assertThatThrownBy(() -> manager.create(broken))
                    .isInstanceOf(CreateFailedException.class)
                    .hasMessageContaining("did not pass its boot test; it was deleted")
                    .hasMessageContaining("cluster-boottest")
                    .hasMessageContaining("no sshd any more")
                    .hasMessageContaining("everything created for it was deleted");
            assertThat(server.requests())
                    .anyMatch(request -> request.matches("PUT .*/images/image-[a-z0-9-]*[0-9a-f]{16}"));
            assertThat(server.requests()).noneMatch(request -> request.matches("PUT .*/virtualMachines/cluster1[0-9]"));
            assertThat(azure.images()).isEmpty();
            assertThat(azure.marked(broken.name())).isEmpty();
        }
    }
}
