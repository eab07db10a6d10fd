package io.clusterwright.linux.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeLogsTest {

    @Test
    void eachLogHasItsLines() {
        assertThat(NodeLogs.parse("==> /var/log/a.log <==\none\ntwo\n\n==> /var/log/b.log <==\n==> no title\n\n"))
                .containsExactly(
                        java.util.Map.entry("/var/log/a.log", "one\ntwo"),
                        java.util.Map.entry("/var/log/b.log", "==> no title"));
    }

    @Test
    void aNodeWithoutLogsHasNone() {
        assertThat(NodeLogs.parse("")).isEmpty();
    }
}
