package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
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
import org.jspecify.annotations.Nullable;

/** Cores used and allowed, by region: of each family, of all, and of low priority. Counted from what exists, stopped or not. */
final class Quota {
    private static final String REGIONAL = "cores";
    private static final String SPOT = "lowPriorityCores";

    private final Cloud cloud;
    private final EmulatedSizes sizes;

    Quota(Cloud cloud, EmulatedSizes sizes) {
        this.cloud = cloud;
        this.sizes = sizes;
    }

    /**
     * Refuses this many machines of a size when a limit would be passed.
     *
     * @param instead the resource whose machines these are, in place of those it has now
     */
    void require(VmSizeFacts size, String region, boolean spot, int machines, ArmId instead) {
        Map<String, Integer> now = used(region, null);
        Map<String, Integer> others = used(region, instead);
        int cores = size.billedCores() * machines;
        if (spot) {
            check(SPOT, "LowPriorityCores", region, now, others, cores);
        } else {
            String family = EmulatedSizes.family(size);
            check(family, family + " Cores", region, now, others, cores);
            check(REGIONAL, "Total Regional Cores", region, now, others, cores);
        }
    }

    private void check(
            String name,
            String words,
            String region,
            Map<String, Integer> now,
            Map<String, Integer> others,
            int cores) {
        int limit = limit(name);
        int current = now.getOrDefault(name, 0);
        int more = others.getOrDefault(name, 0) + cores - current;
        refuse(
                more > 0 && current + more > limit,
                "OperationNotAllowed.quota",
                words,
                region,
                limit,
                current,
                more,
                current + more);
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

    private Map<String, Integer> used(String region, @Nullable ArmId without) {
        Map<String, Integer> used = new TreeMap<>();
        cloud.store()
                .ofType(ResourceType.MACHINES)
                .filter(each -> each.location().equals(region) && !isThat(each, without))
                .forEach(machine -> add(
                        used,
                        machine.text("properties.hardwareProfile.vmSize"),
                        isSpot(machine.text("properties.priority")),
                        1));
        cloud.store()
                .ofType(ResourceType.SCALE_SETS)
                .filter(each -> each.location().equals(region) && !isThat(each, without))
                .forEach(set -> add(
                        used,
                        set.text("sku.name"),
                        isSpot(set.text("properties.virtualMachineProfile.priority")),
                        set.number("sku.capacity", 0)));
        return used;
    }

    private static boolean isThat(Resource resource, @Nullable ArmId id) {
        return id != null && resource.id().key().equals(id.key());
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
        usages.add(usage(
                "availabilitySets", "Availability Sets", 2500, (int) count(ResourceType.AVAILABILITY_SETS, region)));
        usages.add(usage(REGIONAL, "Total Regional vCPUs", limit(REGIONAL), used.getOrDefault(REGIONAL, 0)));
        usages.add(usage(
                "virtualMachines", "Virtual BackingMachines", 25_000, (int) count(ResourceType.MACHINES, region)));
        usages.add(usage("virtualMachineScaleSets", "Virtual Machine Scale Sets", 2500, (int)
                count(ResourceType.SCALE_SETS, region)));
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

    private long count(String type, String region) {
        return cloud.store()
                .ofType(type)
                .map(Resource::location)
                .filter(region::equals)
                .count();
    }

    private static ObjectNode usage(String name, String words, int limit, int current) {
        ObjectNode usage =
                Json.object().put("unit", "Count").put("currentValue", current).put("limit", limit);
        usage.putObject("name").put("value", name).put("localizedValue", words);
        return usage;
    }
}
