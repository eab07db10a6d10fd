package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Cores used and allowed, by region: of each family, of all, and of low priority. Counted from what exists, stopped or not. */
final class Quota {
    private static final String REGIONAL = "cores";
    private static final String SPOT = "lowPriorityCores";

    private final Cloud cloud;
    private final EmulatedSizes sizes;

    Quota(Cloud cloud) {
        this.cloud = cloud;
        this.sizes = new EmulatedSizes(cloud);
    }

    EmulatedSizes sizes() {
        return sizes;
    }

    /**
     * Refuses this many machines of a size when a limit would be passed.
     *
     * @param instead the resource whose machines these are; its present machines are not counted
     */
    void require(VmSizeFacts size, String region, boolean spot, int machines, ResourcePath instead) {
        int cores = size.billedCores() * machines;
        if (spot) {
            check(SPOT, "LowPriorityCores", region, cores, instead);
        } else {
            String family = EmulatedSizes.family(size);
            check(family, family + " Cores", region, cores, instead);
            check(REGIONAL, "Total Regional Cores", region, cores, instead);
        }
    }

    private void check(String name, String words, String region, int cores, ResourcePath instead) {
        int limit = limit(name);
        int now = used(region, null).getOrDefault(name, 0);
        int then = used(region, instead).getOrDefault(name, 0) + cores;
        boolean over = then > now && then > limit;
        refuse(over, "OperationNotAllowed.quota", words, region, limit, now, then - now, then);
    }

    private int limit(String name) {
        if (name.equals(REGIONAL)) {
            return cloud.settings().regionalCores();
        }
        if (name.equals(SPOT)) {
            return cloud.settings().spotCores();
        }
        return cloud.settings().familyLimits().entrySet().stream()
                .filter(entry -> plain(entry.getKey()).equals(plain(name)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(cloud.settings().coresPerFamily());
    }

    private static String plain(String family) {
        return family.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private Map<String, Integer> used(String region, @Nullable ResourcePath without) {
        Map<String, Integer> used = new TreeMap<>();
        Stream.of(ResourceType.MACHINES, ResourceType.SCALE_SETS)
                .flatMap(cloud.store()::ofType)
                .filter(each -> each.location().equals(region))
                .filter(each -> without == null || !each.id().key().equals(without.key()))
                .forEach(each -> {
                    boolean set = each.id().isOfType(ResourceType.SCALE_SETS);
                    boolean spot = isSpot(each.text(set ? MachineProfile.OF_SET + ".priority" : "properties.priority"));
                    add(used, EmulatedSizes.name(each), spot, set ? Instances.capacity(each) : 1);
                });
        return used;
    }

    static boolean isSpot(String priority) {
        return priority.equalsIgnoreCase("Spot") || priority.equalsIgnoreCase("Low");
    }

    private static void add(Map<String, Integer> used, String size, boolean spot, int machines) {
        EmulatedSizes.known(size).ifPresent(facts -> {
            int cores = facts.billedCores() * machines;
            if (spot) {
                used.merge(SPOT, cores, Integer::sum);
            } else {
                used.merge(EmulatedSizes.family(facts), cores, Integer::sum);
                used.merge(REGIONAL, cores, Integer::sum);
            }
        });
    }

    Reply usages(Call call, String location) {
        String region = cloud.region(location);
        Map<String, Integer> used = used(region, null);
        List<ObjectNode> usages = new ArrayList<>();
        usages.add(count("availabilitySets", "Availability Sets", 2500, ResourceType.AVAILABILITY_SETS, region));
        usages.add(usage(REGIONAL, "Total Regional vCPUs", limit(REGIONAL), used.getOrDefault(REGIONAL, 0)));
        usages.add(count("virtualMachines", "Virtual Machines", 25_000, ResourceType.MACHINES, region));
        usages.add(
                count("virtualMachineScaleSets", "Virtual Machine Scale Sets", 2500, ResourceType.SCALE_SETS, region));
        usages.add(usage(SPOT, "Total Regional Low-priority vCPUs", limit(SPOT), used.getOrDefault(SPOT, 0)));
        sizes.in(region).stream()
                .map(EmulatedSizes::family)
                .distinct()
                .sorted()
                .forEach(family -> usages.add(usage(
                        family,
                        family.replaceFirst("Family$", " Family vCPUs"),
                        limit(family),
                        used.getOrDefault(family, 0))));
        return Pages.of(call, cloud, usages);
    }

    private ObjectNode count(String name, String words, int limit, String type, String region) {
        long there = cloud.store()
                .ofType(type)
                .filter(each -> each.location().equals(region))
                .count();
        return usage(name, words, limit, (int) there);
    }

    private static ObjectNode usage(String name, String words, int limit, int current) {
        ObjectNode usage =
                Json.object().put("unit", "Count").put("currentValue", current).put("limit", limit);
        usage.putObject("name").put("value", name).put("localizedValue", words);
        return usage;
    }
}
