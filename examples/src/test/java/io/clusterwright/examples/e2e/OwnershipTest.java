package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.examples.cli.ClusterwrightMain;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two users with a state folder each and one name for their clusters: neither changes what the other made, and both are told why. */
@Tag("breadth")
class OwnershipTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-owner", 78, 1);

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @Test
    void onOneMachineTheSecondUserChangesNothing() {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String spec = spec();
        User first = new User("state", Map.of());
        User second = new User("other", Map.of());

        first.succeeds("create", spec, "--on", "local");

        expectBothRefusals(second, spec, List.of("--on", "local"), "this machine");
        assertThat(first.succeeds("run", CLUSTER.name(), "--", "hostname").stdout())
                .contains(CLUSTER.node(1));
        assertThat(first.succeeds("destroy", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void inOneSubscriptionTheSecondUserChangesNothing() throws JsonProcessingException {
        String spec = spec();
        Program emulator = new User("third", Map.of()).start("emulator", "--backed-by", "local");
        emulator.awaitText("token");
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        JsonNode served = AnalyzeTest.json(emulator.stdout());
        List<String> azure = List.of(
                "--on",
                "azure",
                "--endpoint",
                served.path("url").asText(),
                "--subscription",
                served.path("subscriptionId").asText(),
                "--private-addresses");
        Map<String, String> token =
                Map.of("CLUSTERWRIGHT_EMULATOR_TOKEN", served.path("token").asText());
        User first = new User("state", token);
        User second = new User("other", token);

        first.succeeds(with(azure, "create", spec));

        expectBothRefusals(second, spec, azure, "resource group " + CLUSTER.name());
        List<String> way = azure.subList(2, azure.size());
        assertThat(first.succeeds(with(way, "destroy", CLUSTER.name())).stdout())
                .endsWith("nothing is left\n");
        emulator.signal("TERM");
        emulator.end();
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    private String spec() {
        return machine.write("owner.yaml", CLUSTER.plainSpec()).toString();
    }

    private void expectBothRefusals(User second, String spec, List<String> on, String place) {
        Program.Ended created = second.run(with(on, "create", spec));
        assertThat(created.status()).as(created.toString()).isNotZero();
        assertThat(created.stderr())
                .contains("e2e-owner", "exists", place, "adopt")
                .doesNotContain("\tat ");
        Program.Ended destroyed = second.run(
                with(on.get(1).equals("local") ? List.of() : on.subList(2, on.size()), "destroy", CLUSTER.name()));
        assertThat(destroyed.status()).as(destroyed.toString()).isEqualTo(2);
        assertThat(destroyed.stdout()).isEmpty();
        assertThat(destroyed.stderr())
                .contains("e2e-owner", place, "no record", "adopt")
                .doesNotContain("\tat ");
    }

    private static String[] with(List<String> options, String... command) {
        String[] all = Arrays.copyOf(command, command.length + options.size());
        for (int i = 0; i < options.size(); i++) {
            all[command.length + i] = options.get(i);
        }
        return all;
    }

    /** Runs the program with a state folder of the user's own. */
    private final class User {
        private final Path state;
        private final Map<String, String> environment;

        User(String folder, Map<String, String> environment) {
            this.state = machine.folder().resolve(folder);
            this.environment = environment;
        }

        Program start(String... arguments) {
            return machine.start(Machine.java(ClusterwrightMain.class, arguments), "", builder -> {
                builder.environment().put("CLUSTERWRIGHT_STATE", state.toString());
                builder.environment().putAll(environment);
                return builder;
            });
        }

        Program.Ended run(String... arguments) {
            return start(arguments).end();
        }

        Program.Ended succeeds(String... arguments) {
            Program.Ended ended = run(arguments);
            assertThat(ended.status()).as(ended.toString()).isZero();
            return ended;
        }
    }
}
