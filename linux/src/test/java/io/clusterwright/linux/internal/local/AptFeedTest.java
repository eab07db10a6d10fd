package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Demand;
import io.clusterwright.core.spi.NodeBackend.PackageFeed.Supply;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
class AptFeedTest {
    private static Lab lab;
    private static Machine node;
    private static PackageFeed feed;
    private static NodeSession session;

    @BeforeAll
    static void boot() throws Exception {
        lab = new Lab("lm-apt", "10.46.0.0/16");
        node = lab.network().boot(Lab.THIS_SYSTEM, 21).get(0);
        feed = lab.machines.packageFeed(lab.cluster(), node);
        session = (NodeSession) Proxy.newProxyInstance(
                AptFeedTest.class.getClassLoader(), new Class<?>[] {NodeSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("node")) {
                        return node.name();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    @AfterAll
    static void destroy() throws Exception {
        lab.close();
    }

    @Test
    void aPackageIsInstalledOnANodeThatReachesNoRepository() {
        assertThat(feed.supply(session, "apt", Demand.INSTALL, List.of("hello")))
                .isEqualTo(Supply.STAGED);
        assertThat(lab.ssh(node, "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-download hello"))
                .matches(answer -> answer.exit() == 0);
        assertThat(lab.output(node, "hello")).isEqualTo("Hello, world!");
        assertThat(Path.of("/usr/bin/hello")).doesNotExist();
        assertThat(feed.supply(session, "apt", Demand.INSTALL, List.of("hello")))
                .as("what is there needs nothing")
                .isEqualTo(Supply.STAGED);
    }

    @Test
    void aPackageThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> feed.supply(session, "apt", Demand.INSTALL, List.of("no-such-package")))
                .isInstanceOf(LocalMachinesException.class)
                .hasMessageContaining("could not fetch packages for node lm-apt-21")
                .hasMessageContaining("no-such-package")
                .hasMessageContaining("run: apt-get update");
    }

    @Test
    void otherPackageManagersReachTheirRepositoriesThemselves() {
        assertThat(feed.supply(session, "zypper", Demand.INSTALL, List.of("nfs-client")))
                .isEqualTo(Supply.ONLINE);
    }

    @Test
    void aNodeCannotMakeTheHostReadOrWriteItsOwnFiles() throws Exception {
        Path canary = Files.writeString(lab.folder.resolve("canary"), "host");
        long first =
                lab.machines.host.processOf(lab.cluster().name(), node.name()).orElseThrow();
        lab.output(
                node,
                "sudo sh -ec 'mkdir -p /trap" + lab.folder + "; ln -s " + lab.folder + " /trap/link; ln -s " + canary
                        + " /trap/canary'");
        assertThatThrownBy(() -> ConfinedFolder.open(first, List.of("trap", "link")))
                .isInstanceOf(IOException.class);
        try (ConfinedFolder trap = ConfinedFolder.open(first, List.of("trap"))) {
            assertThatThrownBy(() -> trap.copyOut("canary", lab.folder.resolve("stolen")))
                    .hasMessageContaining("not a regular file");
            trap.copyIn(lab.folder.resolve("id.pub"), "canary");
        }
        assertThat(canary).hasContent("host");
    }
}
