package io.clusterwright.core.fuzz;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.FileMode;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.MemlockSubject;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What any text may do to the reader, to the rules and to the types: nothing but give a value or a refusal that helps. */
final class FuzzTargets {
    static final Map<String, Function<String, ?>> TYPES = types();

    private static final long SLOWEST = Duration.ofSeconds(1).toNanos();

    /** Types whose text is for people: rounded, of several values, or without the comment. */
    private static final Set<String> NOT_TEXT_ALIKE = Set.of("NodeSet", "SshPublicKey", "Latency", "Bandwidth");

    static {
        // Loads classes and catalogs, which is no input's time.
        Planner.check(SpecReader.read("name: c\nregion: westus\nnodes: {count: 8, size: Standard_A9}\n", ""));
    }

    private FuzzTargets() {}

    /** Reads a text, and what can be read is judged by every rule and read again from what is written. */
    static void spec(String text) {
        timed(() -> {
            ClusterSpec spec;
            try {
                spec = SpecReader.read(text, "");
            } catch (InvalidSpecException e) {
                require(!e.problems().isEmpty(), "a refusal without a problem");
                e.problems().forEach(FuzzTargets::helps);
                return;
            }
            for (Finding finding : Planner.check(spec)) {
                require(!finding.remedy().isBlank() && !finding.message().isBlank(), "no remedy: " + finding);
            }
            require(SpecReader.read(spec.toString(), "").equals(spec), "YAML does not give the same back");
            require(SpecReader.read(spec.toJson(), "").equals(spec), "JSON does not give the same back");
        });
    }

    /** Gives a text to every type; what one takes, it takes again from its own text. */
    static void types(String text) {
        TYPES.forEach((name, parse) -> timed(() -> type(name, parse, text)));
    }

    private static void type(String name, Function<String, ?> parse, String text) {
        Object value;
        try {
            value = parse.apply(text);
        } catch (InvalidValueException e) {
            require(!e.remedy().isBlank() && !e.summary().isBlank(), name + " refuses without a remedy");
            return;
        }
        if (!NOT_TEXT_ALIKE.contains(name)) {
            require(parse.apply(value.toString()).equals(value), name + " does not take " + value + " as the same");
        }
    }

    private static void helps(SpecProblem problem) {
        require(!problem.message().isBlank() && !problem.remedy().isBlank(), "no remedy: " + problem);
    }

    private static void timed(Runnable step) {
        long start = System.nanoTime();
        step.run();
        long took = System.nanoTime() - start;
        require(took < SLOWEST, "one input took " + Duration.ofNanos(took));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static Map<String, Function<String, ?>> types() {
        Map<String, Function<String, ?>> types = new LinkedHashMap<>();
        types.put("AddressRange", AddressRange::of);
        types.put("Bandwidth", Bandwidth::of);
        types.put("ClusterName", ClusterName::of);
        types.put("FileMode", FileMode::of);
        types.put("GroupName", GroupName::of);
        types.put("ImageReference", ImageReference::of);
        types.put("Interconnect", Interconnect::of);
        types.put("Ipv4Address", Ipv4Address::of);
        types.put("Latency", Latency::of);
        types.put("MemlockLimit", MemlockLimit::of);
        types.put("MemlockSubject", MemlockSubject::of);
        types.put("NamePattern", NamePattern::of);
        types.put("NodeName", NodeName::of);
        types.put("NodeSet", (Function<String, List<NodeName>>) NodeSet::expand);
        types.put("SecretReference", SecretReference::of);
        types.put("SshPublicKey", SshPublicKey::of);
        types.put("UserName", UserName::of);
        types.put("VmSize", VmSize::of);
        return types;
    }
}
