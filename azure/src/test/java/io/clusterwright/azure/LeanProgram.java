package io.clusterwright.azure;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;

/** Makes a node through the endpoint it is given, in a Java of its own. */
final class LeanProgram {
    private LeanProgram() {}

    public static void main(String[] arguments) {
        ClusterSpec spec = AzureFixture.spec(1);
        AzureFixture.Log log = new AzureFixture.Log();
        try (AzureProvider azure = AzureFixture.open(AzureMachines.onLoopback(URI.create(arguments[0]), arguments[1])
                .pollInterval(Duration.ofMillis(5))
                .build())) {
            azure.createNetwork(spec, log);
            Collection<MachineOutcome> outcomes =
                    AzureFixture.create(azure, spec, log).values();
            System.out.println("outcomes " + outcomes);
        }
        for (String type : arguments[2].split(",", -1)) {
            System.out.println(type + " " + found(type));
        }
    }

    private static String found(String type) {
        try {
            Class.forName(type, false, LeanProgram.class.getClassLoader());
            return "there";
        } catch (ClassNotFoundException e) {
            return "absent";
        }
    }
}
