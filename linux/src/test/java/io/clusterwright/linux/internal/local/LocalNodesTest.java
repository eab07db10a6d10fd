package io.clusterwright.linux.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodesTest {
    private static final ClusterName DEMO = ClusterName.of("demo");
    private static final NodeName NODE = NodeName.of("demo11");

    @Test
    void readsOnlyTheEndOfALogThatIsLongerThanMemory(@TempDir Path folder) throws IOException {
        Folders folders = new Folders(folder.resolve("run"), folder.resolve("store"));
        Path log = Files.createDirectories(folders.node(DEMO, NODE)).resolve("log");
        try (RandomAccessFile sparse = new RandomAccessFile(log.toFile(), "rw")) {
            sparse.seek(3L << 30);
            sparse.write(new byte[] {(byte) 0xff, '\n'});
            sparse.write("the end\n".getBytes(StandardCharsets.US_ASCII));
        }
        LocalNodes nodes = new LocalNodes(folders);

        assertThat(nodes.console(DEMO, NODE))
                .hasValueSatisfying(text ->
                        assertThat(text).hasSizeLessThanOrEqualTo(64 * 1024).endsWith("\nthe end\n"));
        assertThat(nodes.log(DEMO, NODE)).endsWith("the end");
        assertThat(nodes.console(DEMO, NodeName.of("demo12"))).isEmpty();
    }
}
