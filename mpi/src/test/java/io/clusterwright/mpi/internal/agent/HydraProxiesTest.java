package io.clusterwright.mpi.internal.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.internal.agent.HelperCommands.HelperCommand;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines are those of MPICH 4.0.2. */
class HydraProxiesTest {
    private static final String PROXY =
            "HYDRA_LAUNCH: /usr/bin/hydra_pmi_proxy --control-port 10.48.0.4:43659 --rmk user"
                    + " --launcher manual --demux poll --pgid 0 --retries 10 --usize -2 --pmi-port 0 --gpus-per-proc -2 --proxy-id ";
    private static final String TWO = PROXY + "0 \n" + PROXY + "1 \nHYDRA_LAUNCH_END\n";

    private final HydraProxies hydra = new HydraProxies(1000);

    @Test
    void givesTheCommandOfEachProxy() {
        assertThat(feed(TWO)).isEmpty();

        assertThat(hydra.complete()).isTrue();
        assertThat(hydra.problem()).isEmpty();
        List<HelperCommand> commands = hydra.next();
        assertThat(commands).extracting(HelperCommand::node).containsExactly(0, 1);
        assertThat(commands.get(1).words())
                .startsWith("/usr/bin/hydra_pmi_proxy", "--control-port", "10.48.0.4:43659")
                .endsWith("--proxy-id", "1");
    }

    @Test
    void takesNothingOfTheJobsOutputWhereverItIsCut() {
        String all = "a note\n" + TWO + "HYDRA_LAUNCH: said the program\n\nno line break";
        for (int size = 1; size < 80; size++) {
            HydraProxies cut = new HydraProxies(2);
            ByteArrayOutputStream job = new ByteArrayOutputStream();
            byte[] bytes = all.getBytes(UTF_8);
            for (int at = 0; at < bytes.length; at += size) {
                byte[] piece = java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
                job.writeBytes(cut.complete() ? piece : cut.feed(piece, piece.length));
            }
            assertThat(job.toString(UTF_8))
                    .as("pieces of %d", size)
                    .isEqualTo("a note\nHYDRA_LAUNCH: said the program\n\nno line break");
            assertThat(cut.next()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HYDRA_LAUNCH: /usr/bin/hydra_pmi_proxy --control-port 10.48.0.4:1; rm -rf / --proxy-id 0",
                "HYDRA_LAUNCH: /bin/sh -c true --proxy-id 0",
                "HYDRA_LAUNCH: /usr/bin/hydra_pmi_proxy --control-port $(hostname):1 --proxy-id 0",
                "HYDRA_LAUNCH: /usr/bin/hydra_pmi_proxy --control-port 10.48.0.4:1 --proxy-id 1",
                "HYDRA_LAUNCH: /usr/bin/hydra_pmi_proxy --control-port 10.48.0.4:1",
            })
    void refusesWhatHydraDoesNotSay(String line) {
        feed(line + "\nHYDRA_LAUNCH_END\n");

        assertThat(hydra.problem()).contains(line);
        assertThat(hydra.next()).isEmpty();
    }

    @Test
    void takesAThousand() {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, 1000).forEach(i -> text.append(PROXY).append(i).append(" \n"));
        feed(text + "HYDRA_LAUNCH_END\n");

        List<HelperCommand> commands = hydra.next();
        assertThat(commands).hasSize(1000);
        assertThat(commands.get(999).words()).endsWith("999");
    }

    @Test
    void refusesMoreProxiesThanNodes() {
        HydraProxies one = new HydraProxies(1);
        byte[] two = TWO.getBytes(UTF_8);
        one.feed(two, two.length);

        assertThat(one.problem()).contains((PROXY + "1").strip());
        assertThat(one.next()).isEmpty();
    }

    @Test
    void refusesALineWithoutEndAndKeepsNothingOfIt() {
        byte[] piece = "x".repeat(60_000).getBytes(UTF_8);
        assertThat(hydra.feed(piece, piece.length)).isEmpty();
        assertThat(hydra.problem()).isEmpty();

        assertThat(hydra.feed(piece, piece.length)).hasSize(120_000);
        assertThat(hydra.problem()).contains("a line of more than 65536 bytes");
        assertThat(feed("\n" + TWO)).isEqualTo("\n");
        assertThat(hydra.next()).isEmpty();
    }

    private String feed(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new String(hydra.feed(bytes, bytes.length), UTF_8);
    }
}
