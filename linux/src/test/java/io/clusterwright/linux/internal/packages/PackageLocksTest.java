package io.clusterwright.linux.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.customize.RealNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiting for whoever changes packages, on a real node with a real dpkg. */
@Tag("breadth")
class PackageLocksTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A package whose installation goes on, with all of dpkg's locks held, while {@code /tmp/hold} exists. */
    private static final String SLOW_PACKAGE = """
        set -e
        mkdir -p /tmp/slow/DEBIAN
        printf 'Package: slow\\nVersion: 1\\nArchitecture: all\\nMaintainer: test <t@example.com>\\nDescription: slow\\n' \
            >/tmp/slow/DEBIAN/control
        printf '#!/bin/sh\\ntouch /tmp/begun\\nwhile [ -e /tmp/hold ]; do sleep 0.1; done\\n' >/tmp/slow/DEBIAN/preinst
        chmod 755 /tmp/slow/DEBIAN/preinst
        dpkg-deb -b /tmp/slow /tmp/slow.deb
        touch /tmp/hold
        """;

    @Test
    void waitsForARealInstallationAndNamesItWhereThatTakesTooLong() throws Exception {
        try (RealNodes nodes = new RealNodes("locks", "10.55.0.0/16", spec -> spec)) {
            Machine node = nodes.boot(RealNodes.THIS_SYSTEM, 11).get(0);
            NodeSession session = nodes.session(node);
            List<String> told = new ArrayList<>();
            nodes.backend.awaitPackages(session, Duration.ZERO, told::add);
            assertThat(told).isEmpty();

            nodes.outputAsRoot(node, SLOW_PACKAGE);
            RunningCommand installation =
                    session.start(Command.of("dpkg", "-i", "/tmp/slow.deb").elevate(), (stream, bytes, length) -> {});
            nodes.output(node, "for i in $(seq 300); do [ -e /tmp/begun ] && exit 0; sleep 0.1; done; exit 1");

            assertThatThrownBy(() -> nodes.backend.awaitPackages(session, Duration.ZERO, told::add))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("on locks-11, packages are still being changed after 0 s")
                    .hasMessageMatching(
                            "(?s).*process [0-9]+ \\(dpkg -i /tmp/slow\\.deb\\) holds /var/lib/dpkg/lock-frontend.*")
                    .hasMessageContaining("until that process ends");
            assertThat(told).isEmpty();
            assertThat(session.run(Command.of("dpkg", "--configure", "-a").elevate())
                            .stderr())
                    .as("looking has not taken the lock away")
                    .contains("lock");

            nodes.backend.awaitPackages(session, LONG, line -> {
                told.add(line);
                nodes.outputAsRoot(node, "rm /tmp/hold");
            });

            assertThat(told).singleElement().asString().startsWith("locks-11: waiting for process ");
            assertThat(installation.await(LONG)).hasValue(0);
            assertThat(nodes.output(node, "dpkg-query -W -f '${db:Status-Status}' slow"))
                    .isEqualTo("installed");
        }
    }

    /** zypper, yum and dnf write the number of their process into a file, and leave it behind when they are killed. */
    @Test
    void knowsALivingProcessFromTheFileOfADeadOne() throws Exception {
        try (RealNodes nodes = new RealNodes("lockfiles", "10.58.0.0/16", spec -> spec)) {
            Machine node = nodes.boot(RealNodes.THIS_SYSTEM, 11).get(0);
            NodeSession session = nodes.session(node);
            nodes.outputAsRoot(node, "true & echo $! >/run/zypp.pid; wait");
            nodes.backend.awaitPackages(session, Duration.ZERO, line -> {});

            nodes.outputAsRoot(node, "nohup sleep 300 >/dev/null 2>&1 & echo $! >/run/zypp.pid");
            assertThatThrownBy(() -> nodes.backend.awaitPackages(session, Duration.ZERO, line -> {}))
                    .hasMessageMatching("(?s).*process [0-9]+ \\(sleep 300\\) holds /run/zypp\\.pid.*");
        }
    }
}
