package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.emulator.internal.http.Call;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Rows that several types of Microsoft.Compute have. */
final class ComputeRows {
    /** The names of most resources. */
    static final String NAME = "^[^_\\W][\\w-._]{0,79}(?<![-.])$";

    /** The names of machines and scale sets. */
    static final String MACHINE_NAME = "^[^_\\W][\\w-._]{0,63}(?<![-.])$";

    private static final List<String> KEPT = List.of("imageReference", "osDisk", "dataDisks");

    private ComputeRows() {}

    /** The name of a new resource, by the service's own rule in its refusals. */
    static Row name(String rule) {
        return Row.onCreate(draft -> requireName(draft.name(), rule, "name"));
    }

    static void requireName(String name, String rule, String target) {
        if (!Pattern.matches(rule, name)) {
            throw ArmException.of("InvalidParameter.entityName", name, rule).at(target);
        }
    }

    static Row etag() {
        return draft -> draft.body().put("etag", draft.store().nextEtag().replace("W/", ""));
    }

    /** Keeps the properties that a change does not mention, and these parts of the body. */
    static Row keep(String... parts) {
        return Row.onUpdate(draft -> {
            ObjectNode before = draft.resourceBefore().body();
            keep(draft.resourceBefore().properties(), draft.properties());
            for (String part : parts) {
                if (!draft.body().has(part) && before.has(part)) {
                    draft.body().set(part, before.get(part).deepCopy());
                }
            }
        });
    }

    /** Keeps what a change of the properties of a machine, or of the model of a scale set, does not mention. */
    static void keep(ObjectNode before, ObjectNode now) {
        before.properties().forEach(entry -> {
            if (!now.has(entry.getKey()) && !entry.getKey().equals("provisioningState")) {
                now.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
        if (!(before.get("storageProfile") instanceof ObjectNode old)
                || !(now.get("storageProfile") instanceof ObjectNode storage)) {
            return;
        }
        if (old.get("osDisk") instanceof ObjectNode was && storage.get("osDisk") instanceof ObjectNode disk) {
            was.properties().stream()
                    .filter(entry -> !disk.hasNonNull(entry.getKey()))
                    .forEach(entry -> disk.set(entry.getKey(), entry.getValue().deepCopy()));
        }
        for (String part : KEPT) {
            if (storage.path(part).isEmpty() && !(part.equals("dataDisks") && storage.has(part)) && old.has(part)) {
                storage.set(part, old.get(part).deepCopy());
            }
        }
    }

    /** A duration within its limits, where it is given. */
    static void requireTime(Draft draft, String path, String parameter, int leastMinutes, int mostMinutes) {
        if (!draft.has(path)) {
            return;
        }
        Duration least = Duration.ofMinutes(leastMinutes);
        Duration most = Duration.ofMinutes(mostMinutes);
        try {
            Duration time = Duration.parse(draft.text(path));
            boolean outside = time.compareTo(least) < 0 || time.compareTo(most) > 0;
            ArmException.refuse(outside, "InvalidParameter.range", draft.text(path), parameter, least, most);
        } catch (DateTimeException e) {
            throw ArmException.of("InvalidParameter.value", parameter);
        }
    }

    /** Of a list of a region, what is in that region; of another list, everything. */
    static Predicate<Resource> ofRegion(Call call) {
        String region = call.path().replaceFirst("(?i).*/locations/([^/]+)/.*", "$1");
        return resource -> region.equals(call.path()) || resource.location().equalsIgnoreCase(region);
    }
}
